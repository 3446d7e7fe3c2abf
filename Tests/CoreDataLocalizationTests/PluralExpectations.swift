/// The plural forms that Babel 2.19.0 (Python, with CLDR 49) gives for `integers` and then `decimals`.
///
/// Lines of languages stand before the indented lines of their forms: a letter of the form (zero, one, two, few, many, other as `x`),
/// and how often it follows if more than once.
enum PluralExpectations {
    static let integers: [Int64] =
        Array(0...125) + [
            200, 1_000, 1_001, 1_011, 10_000, 20_000, 100_000, 1_000_000, 1_100_000, 2_000_000, 3_000_001,
            1_000_000_000,
        ]

    static let decimals = """
        0.0 0.1 0.5 1.0 1.00 1.1 1.2 1.5 2.0 2.5 10.0 10.1 0.01 0.11 0.12 1.21 5.4 11.0 21.1 100.0 1000.0 1.31 0.04 3.0 1000000.0 0.20
        """.split(separator: " ").map(String.init)

    static let forms = """
        aa ab ady agq ann apc arn ary ba bas bew bgc bgn blt bm bo bqi brh bss bua byn cad cch ccp cho cic co cop cu
        dav dje dua dyo dz ebu ewo frr gaa gez gn guz hnj hrx ht id ig ii isv ja jbo jv kaa kam kbd kde kea kek ken
        kgp khq ki kln km ko kpe ksf kxv la lkt lmo lo lrc ltg lu luo luy lzz mai mdf mer mfe mgh mhn mi mic mni moh
        mrh ms mua mus mww my myv mzn nds nmg nqo nus nv oc oka osa pi pis pms qu quc raj rhg rif rn rw sa sah sbp ses
        sg shn sid skr su sus suz szl th to tok tpi trv trw tt twq tyv vai vmw wal wbp wo xdq xnr yav yo yrl yue za
        zgh zh
            x164
        af an asa az bal bem bez bg brx ce cgg chr ckb dv ee el eo eu fo fur gsw ha haw hu jgo jmc ka kaj kcg kk kkj
        kl ks ksb ku ky lb lg mas mgo ml mn mr nb nd ne nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sd sdh seh
        sn so sq ss ssy st syr ta te teo tig tk tn tr ts ug uz ve vo vun wae xh xog
            xox139o2x21
        ak bho csw ln mg nso pa ti wa
            o2x136ox2o2x21
        am as bn doi fa gu hi kn kok pcm tg vi zu
            o2x136o5x7o3x7ox2o
        ar
            zotf8m89x3f8m15x3mx8zx2o2x3txfx6mx5fx2
        ast de en et fi fy ia ie io lij nl sc sv sw ur yi
            xox162
        be
            mof3m16of3m6of3m6of3m6of3m6of3m6of3m6of3m6of3m6of3m16of3m3om7om2x2o2x3fxmx6mxm2x2fmx
        blo cv ksh
            zox136zx2o2x21
        br
            xotf2x4fx11otf2x4fxotf2x4fxotf2x4fxotf2x4fxotf2x4fx11otf2x4fx11otf2x4fx11otf2x3ox4mxmomx3o2x3tx14fmx
        bs hr sr
            xof3x16of3x6of3x6of3x6of3x6of3x6of3x6of3x6of3x6of3x16of3x3ox7ox2ox3ofx4o2x2ofxox2ofx3
        ca gl it lld scn vec pt-PT
            xox131mxmxmx26
        ceb fil
            o4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xoxo2xo4xo29xo5xo3
        cs sk
            xof3x133m26
        cy
            zotfx2mx131zx2o2x3tx14fx2
        da
            xox137o7x4o4x5o2x2o
        dsb hsb
            xotf2x96otf2x23ox7ox2ox3otx4o2x3fxox3fx3
        es
            xox131mxmxmx3o2x21
        ff hy kab
            o2x136o8x4o4x5o2x2o
        fr pt
            o2x131mxmxmo8x4o4x5o2x2o
        ga
            xotf4m4x130o2x3txmx12fx2
        gd
            xotf8otf7x121o2x3txfx6ox5fx2
        gv
            fotx8otx7fotx8otx7fotx8otx7fotx8otx7fotx8otx7fotx8otx7fotx3f2o2f6ofm26
        he
            xotx135o3x9o3x7ox2o
        is
            xox19ox9ox9ox9ox9ox9ox9ox9ox9ox19ox6ox7ox2oxo3x5o2x2ox2ox2ox4
        iu naq sat se sma smj smn sms
            xotx138o2x3tx17
        kw
            zotfx17mtfx17mtfx17mtfx17mtfx17mtfx17mtfx3tmxt3xtxmxzx2o2x3tx11tx2fx2
        lag
            zox136zo7x4o4x5o2x2o
        lt
            xof8x11of8xof8xof8xof8xof8xof8xof8xof8xof8x11of4x2ox7ox2m2o2m3fmxm6xmx2m2fxm
        lv prg
            zox8z11ox8zox8zox8zox8zox8zox8zox8zox8zox8z11ox4z2oz7oz2oxo3x4zo2z2oxzoz2ox2zx
        mk
            xox19ox9ox9ox9ox9ox9ox9ox9ox9ox19ox6ox7ox2ox3ox5o2x2ox2ox2ox4
        mt
            fotf8m9x83f8m9x9mx8fx2o2x3txfx6mx5fx2
        pl
            mof3m17f3m7f3m7f3m7f3m7f3m7f3m7f3m7f3m7f3m17f3m13x26
        ro
            fof18x81f19x8f2x6fxf26
        ru uk
            mof3m16of3m6of3m6of3m6of3m6of3m6of3m6of3m6of3m6of3m16of3m3om7omx26
        sgs
            xotf7x11of8xof8xof8xof8xof8xof8xof8xof8xof8x11of4x2ox7ox2m2o2m3tmxm6xmx2m2fxm
        shi
            o2f9x127o5x3fxfxo3x7ofxo
        si
            o2x136o2xo2x7ox13
        sl
            xotf2x96otf2x23ox7oxf26
        tzm
            o2x9o89x38ox2o2x12ox8
        """
}
