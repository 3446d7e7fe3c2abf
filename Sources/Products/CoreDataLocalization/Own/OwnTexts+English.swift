extension OwnTexts {
    /// Texts of the interface in English, in the syntax of `.strings` files. The tables in other languages have the same keys.
    static let englishInterface = #"""
        "OK" = "OK"; "Cancel" = "Cancel"; "Done" = "Done"; "Save" = "Save"; "Delete" = "Delete"; "Edit" = "Edit";
        "Add" = "Add"; "Remove" = "Remove"; "Search" = "Search"; "Close" = "Close"; "Undo" = "Undo"; "Redo" = "Redo";
        "Yes" = "Yes"; "No" = "No"; "Back" = "Back"; "Next" = "Next"; "Previous" = "Previous"; "Open" = "Open";
        "Reload" = "Reload"; "Retry" = "Try Again"; "Stop" = "Stop"; "Choose" = "Choose"; "Clear" = "Clear";
        "Copy" = "Copy"; "Import" = "Import"; "Export" = "Export"; "Settings" = "Settings"; "Language" = "Language";
        "Today" = "Today"; "Now" = "Now"; "None" = "None"; "All" = "All"; "Error" = "Error"; "Empty" = "No objects";
        "Waiting" = "Waiting…"; "Cancelled" = "Cancelled";
        "Progress" = "Completed %1$lld of %2$lld";
        "DeleteQuestion" = "Delete “%@”?";
        "Unsaved" = "There are changes that are not saved.";
        """#

    static let englishInterfaceForms: [String: TextEntry] = [
        "Objects": .plural([.one: "%lld object", .other: "%lld objects"]),
        "Selected": .plural([.one: "%lld object selected", .other: "%lld objects selected"]),
        "Changes": .plural([.one: "%lld change", .other: "%lld changes"]),
        "Days": .plural([.one: "%lld day", .other: "%lld days"]),
    ]

    /// Texts of validation errors in English. `%1$@` is the property, `%2$@` the entity, `%3$@` the rule, `%4$@` the value.
    static let englishValidation = #"""
        "1550" = "'%1$@' of entity '%2$@' breaks a rule of the model.";
        "1551" = "'%1$@' of entity '%2$@' has a value that another object has.";
        "1560" = "Several values are not valid.";
        "1570" = "'%1$@' of entity '%2$@' is required and has no value.";
        "1580" = "'%1$@' of entity '%2$@' has fewer objects than the model asks for (%3$@).";
        "1590" = "'%1$@' of entity '%2$@' has more objects than the model allows (%3$@).";
        "1600" = "An object of entity '%2$@' cannot be deleted: its relationship '%1$@' still has %4$@.";
        "1610" = "'%1$@' of entity '%2$@' is greater than the model allows (%3$@).";
        "1620" = "'%1$@' of entity '%2$@' is smaller than the model allows (%3$@).";
        "1630" = "'%1$@' of entity '%2$@' is later than the model allows (%3$@).";
        "1640" = "'%1$@' of entity '%2$@' is earlier than the model allows (%3$@).";
        "1650" = "'%1$@' of entity '%2$@' is not a date.";
        "1660" = "'%1$@' of entity '%2$@' is longer than the model allows (%3$@).";
        "1670" = "'%1$@' of entity '%2$@' is shorter than the model allows (%3$@).";
        "1680" = "'%1$@' of entity '%2$@' does not match the pattern that the model asks for (%3$@).";
        "1690" = "'%1$@' of entity '%2$@' is not a URI.";
        "reason" = "The rule of '%1$@' is: %3$@. The value is: %4$@.";
        "suggestion" = "Give '%1$@' a value that keeps the rule: %3$@.";
        "suggestion.1551" = "Give '%1$@' a value that no other object has.";
        "suggestion.1560" = "Correct each of them.";
        "suggestion.1570" = "Give '%1$@' a value.";
        "suggestion.1580" = "Add objects to '%1$@': %3$@.";
        "suggestion.1590" = "Take objects out of '%1$@': %3$@.";
        "suggestion.1600" = "Delete what '%1$@' leads to first, or lead it elsewhere.";
        "rule.minimum" = "at least %@"; "rule.maximum" = "at most %@";
        "rule.earliest" = "not before %@"; "rule.latest" = "not after %@";
        "rule.pattern" = "a match of the pattern %@"; "rule.value" = "a value is required";
        "rule.object" = "an object is required"; "rule.date" = "a date"; "rule.uri" = "a URI";
        "rule.unique" = "no other object has the value"; "rule.noneLeft" = "no objects may be left (delete rule Deny)";
        "value.none" = "none"; "value.text" = "'%@'";
        """#

    static let englishValidationForms: [String: TextEntry] = [
        "rule.minimumLength": .plural([.one: "at least %lld character", .other: "at least %lld characters"]),
        "rule.maximumLength": .plural([.one: "at most %lld character", .other: "at most %lld characters"]),
        "rule.minimumCount": .plural([.one: "at least %lld object", .other: "at least %lld objects"]),
        "rule.maximumCount": .plural([.one: "at most %lld object", .other: "at most %lld objects"]),
        "value.objects": .plural([.one: "%lld object", .other: "%lld objects"]),
        "value.bytes": .plural([.one: "%lld byte", .other: "%lld bytes"]),
    ]
}
