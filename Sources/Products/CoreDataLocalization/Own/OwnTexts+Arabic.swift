extension OwnTexts {
    static let arabicInterface = #"""
        "OK" = "موافق"; "Cancel" = "إلغاء"; "Done" = "تم"; "Save" = "حفظ"; "Delete" = "حذف"; "Edit" = "تحرير";
        "Add" = "إضافة"; "Remove" = "إزالة"; "Search" = "بحث"; "Close" = "إغلاق"; "Undo" = "تراجع"; "Redo" = "إعادة";
        "Yes" = "نعم"; "No" = "لا"; "Back" = "رجوع"; "Next" = "التالي"; "Previous" = "السابق"; "Open" = "فتح";
        "Reload" = "إعادة تحميل"; "Retry" = "إعادة المحاولة"; "Stop" = "إيقاف"; "Choose" = "اختيار"; "Clear" = "مسح";
        "Copy" = "نسخ"; "Import" = "استيراد"; "Export" = "تصدير"; "Settings" = "الإعدادات"; "Language" = "اللغة";
        "Today" = "اليوم"; "Now" = "الآن"; "None" = "لا شيء"; "All" = "الكل"; "Error" = "خطأ"; "Empty" = "لا توجد كائنات";
        "Waiting" = "في الانتظار…"; "Cancelled" = "أُلغي";
        "Progress" = "اكتمل %1$lld من %2$lld";
        "DeleteQuestion" = "هل تريد حذف «%@»؟";
        "Unsaved" = "توجد تغييرات لم تُحفظ.";
        """#

    static let arabicInterfaceForms: [String: TextEntry] = [
        "Objects": .plural(objects("")),
        "Selected": .plural([
            .zero: "لم يُحدد أي كائن", .one: "تم تحديد كائن واحد", .two: "تم تحديد كائنين", .few: "تم تحديد %lld كائنات",
            .many: "تم تحديد %lld كائنًا", .other: "تم تحديد %lld كائن",
        ]),
        "Changes": .plural([
            .zero: "لا تغييرات", .one: "تغيير واحد", .two: "تغييران", .few: "%lld تغييرات", .many: "%lld تغييرًا",
            .other: "%lld تغيير",
        ]),
        "Days": .plural([
            .zero: "%lld يوم", .one: "يوم واحد", .two: "يومان", .few: "%lld أيام", .many: "%lld يومًا",
            .other: "%lld يوم",
        ]),
    ]

    static let arabicValidation = #"""
        "1550" = "«%1$@» في الكيان «%2$@» يخالف إحدى قواعد النموذج.";
        "1551" = "«%1$@» في الكيان «%2$@» له قيمة موجودة لدى كائن آخر.";
        "1560" = "عدة قيم غير صالحة.";
        "1570" = "«%1$@» في الكيان «%2$@» مطلوب وليست له قيمة.";
        "1580" = "«%1$@» في الكيان «%2$@» له كائنات أقل مما يطلبه النموذج (%3$@).";
        "1590" = "«%1$@» في الكيان «%2$@» له كائنات أكثر مما يسمح به النموذج (%3$@).";
        "1600" = "لا يمكن حذف كائن من الكيان «%2$@»: ما زال في العلاقة «%1$@» ما يلي: %4$@.";
        "1610" = "«%1$@» في الكيان «%2$@» أكبر مما يسمح به النموذج (%3$@).";
        "1620" = "«%1$@» في الكيان «%2$@» أصغر مما يسمح به النموذج (%3$@).";
        "1630" = "«%1$@» في الكيان «%2$@» متأخر عما يسمح به النموذج (%3$@).";
        "1640" = "«%1$@» في الكيان «%2$@» أسبق مما يسمح به النموذج (%3$@).";
        "1650" = "«%1$@» في الكيان «%2$@» ليس تاريخًا.";
        "1660" = "«%1$@» في الكيان «%2$@» أطول مما يسمح به النموذج (%3$@).";
        "1670" = "«%1$@» في الكيان «%2$@» أقصر مما يسمح به النموذج (%3$@).";
        "1680" = "«%1$@» في الكيان «%2$@» لا يطابق النمط الذي يطلبه النموذج (%3$@).";
        "1690" = "«%1$@» في الكيان «%2$@» ليس معرّف URI.";
        "reason" = "قاعدة «%1$@» هي: %3$@. القيمة هي: %4$@.";
        "suggestion" = "أعطِ «%1$@» قيمة توافق القاعدة: %3$@.";
        "suggestion.1551" = "أعطِ «%1$@» قيمة ليست لدى أي كائن آخر.";
        "suggestion.1560" = "صحّح كل قيمة منها.";
        "suggestion.1570" = "أعطِ «%1$@» قيمة.";
        "suggestion.1580" = "أضف كائنات إلى «%1$@»: %3$@.";
        "suggestion.1590" = "أزل كائنات من «%1$@»: %3$@.";
        "suggestion.1600" = "احذف أولًا ما تشير إليه «%1$@»، أو غيّر ما تشير إليه.";
        "rule.minimum" = "%@ على الأقل"; "rule.maximum" = "%@ على الأكثر";
        "rule.earliest" = "ليس قبل %@"; "rule.latest" = "ليس بعد %@";
        "rule.pattern" = "ما يطابق النمط %@"; "rule.value" = "القيمة مطلوبة";
        "rule.object" = "الكائن مطلوب"; "rule.date" = "تاريخ"; "rule.uri" = "معرّف URI";
        "rule.unique" = "لا يملك كائن آخر هذه القيمة"; "rule.noneLeft" = "لا يجوز أن تبقى كائنات (قاعدة الحذف Deny)";
        "value.none" = "لا شيء"; "value.text" = "«%@»";
        """#

    static let arabicValidationForms: [String: TextEntry] = [
        "rule.minimumLength": .plural(characters(" على الأقل")),
        "rule.maximumLength": .plural(characters(" على الأكثر")),
        "rule.minimumCount": .plural(objects(" على الأقل")),
        "rule.maximumCount": .plural(objects(" على الأكثر")),
        "value.objects": .plural(objects("")),
        "value.bytes": .plural([
            .zero: "%lld بايت", .one: "بايت واحد", .two: "%lld بايت", .few: "%lld بايت", .many: "%lld بايت",
            .other: "%lld بايت",
        ]),
    ]

    private static func objects(_ end: String) -> [PluralCategory: String] {
        [
            .zero: "%lld كائن", .one: "كائن واحد", .two: "كائنان", .few: "%lld كائنات", .many: "%lld كائنًا",
            .other: "%lld كائن",
        ].mapValues { $0 + end }
    }

    private static func characters(_ end: String) -> [PluralCategory: String] {
        [
            .zero: "%lld حرف", .one: "حرف واحد", .two: "حرفان", .few: "%lld أحرف", .many: "%lld حرفًا",
            .other: "%lld حرف",
        ].mapValues { $0 + end }
    }
}
