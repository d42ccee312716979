-- Works are found by their match keys now (0008); nobody asks by the whole folded title.
drop index publication_title_folded_idx;
