// A roster of sixty people as a lab's spreadsheet has them: Han and Latin names, some with
// one of the two alone, addresses in mixed case; and its bytes in GB18030.

import { execFileSync } from 'node:child_process';

const families = [['林', 'Lin'], ['周', 'Zhou'], ['吴', 'Wu'], ['欧阳', 'Ouyang'], ['陈', 'Chen'],
    ['王', 'Wang'], ['吕', 'Lü'], ['司徒', 'Situ'], ['赵', 'Zhao'], ['孙', 'Sun']];
const givens = [['晓', 'Xiao'], ['博', 'Bo'], ['佳', 'Jia'], ['明远', 'Mingyuan'], ['思齐', 'Siqi'],
    ['𠮷', 'Ji']]; // the last is beyond GBK: GB18030 writes it with four bytes
const roles = ['博士生', '硕士生', '教师', '博士后', '本科生', '访问学者'];

export const people = families.flatMap(([han, latin], f) => givens.map(([given, name], g) => {
    const number = f * givens.length + g;
    return {
        email: `${name}.${latin.normalize('NFD').replace(/\p{M}/gu, '')}@lab.example`.toLowerCase(),
        han: number % 10 === 7 ? '' : `${han}${given}`,
        latin: number % 10 === 3 ? '' : `${name} ${latin}`,
        role: roles[number % roles.length],
        since: `202${number % 6}-09`,
    };
}));

export const csv = ['姓名,英文名,邮箱,身份,入学时间', ...people.map((p, n) =>
    [p.han, p.latin, n % 4 === 0 ? p.email.toUpperCase() : p.email, p.role, p.since].join(','))]
    .join('\r\n') + '\r\n';

export const bytes = () => execFileSync('iconv', ['-f', 'UTF-8', '-t', 'GB18030'], { input: csv });
