/// A change as one observer receives it.
struct RecordedChange {
    /// A requested value, which may be nil.
    struct Recorded {
        let value: Any?
    }

    var kind = NSKeyValueChange.setting
    var old: Recorded?
    var new: Recorded?
    var indexes: IndexSet?
    var isPrior = false

    /// The change as a dictionary, in which nil values are missing.
    var dictionary: [NSKeyValueChangeKey: Any] {
        var result: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
        result[.oldKey] = old?.value
        result[.newKey] = new?.value
        result[.indexesKey] = indexes
        if isPrior { result[.notificationIsPriorKey] = true }
        return result
    }
}
