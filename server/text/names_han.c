/* Family names of Chinese: the compound ones, and the most frequent of one character. */
#include "server/text/names_han.h"

#include "server/base/utf8.h"

static const char compound[] = "欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 皇甫 尉迟 尉遲 公孙 "
                               "公孫 慕容 长孙 長孫 宇文 司徒 司空 "
                               "夏侯 令狐 东方 東方 独孤 獨孤 南宫 南宮 端木 百里 呼延 "
                               "闻人 聞人 轩辕 軒轅 申屠 太史 澹台 "
                               "公冶 宗政 濮阳 濮陽 淳于 单于 單于 钟离 鍾離 鲜于 鮮于 "
                               "闾丘 司寇 拓跋 西门 西門 东郭 "
                               "东野 赫连 赫連 第五 万俟 完颜 完顏 耶律";

static const char frequent[] = "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林"
                               "罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓"
                               "鄧曹彭曾肖萧蕭田董袁潘于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈"
                               "姚卢盧姜崔钟鐘鍾谭譚陆陸汪范石廖"
                               "贾賈夏韦韋付傅方白邹鄒孟熊秦邱江尹薛闫閻段雷侯龙龍史陶黎"
                               "贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃"
                               "武戴莫孔向汤湯施洪倪翁柯欧歐";

static bool contains(const char *list, struct slice text)
{
    return memmem(list, strlen(list), text.bytes, text.length) != NULL;
}

size_t han_length(struct slice text)
{
    size_t count = 0;
    size_t size;
    for (size_t at = 0; at < text.length; at += size) {
        utf8_next(text.bytes + at, text.length - at, &size);
        if (!utf8_has_han(text.bytes + at, size))
            return 0;
        count++;
    }
    return count;
}

bool han_compound_surname(struct slice text)
{
    return han_length(text) == 2 && contains(compound, text);
}

bool han_surname(struct slice text)
{
    size_t length = han_length(text);
    return length == 1 ? contains(frequent, text) : han_compound_surname(text);
}

size_t han_family(struct slice name)
{
    size_t length = han_length(name);
    if (length < 2 || length > 4)
        return 0;
    size_t one;
    size_t two;
    utf8_next(name.bytes, name.length, &one);
    utf8_next(name.bytes + one, name.length - one, &two);
    struct slice front = {name.bytes, one + two};
    if (length > 2 && han_compound_surname(front))
        return front.length;
    return length < 4 ? one : 0;
}
