import CoreDataStore

/// Option: how long the store keeps its persistent history, in the form that `PersistentHistoryRetention` writes.
///
/// Not in Apple's framework; `NSPersistentStoreDescription.historyRetention` sets it.
public let CoreDataHistoryRetentionOption = "CoreDataHistoryRetention"

/// How long a store keeps its persistent history; not in Apple's framework.
///
/// After saves of its coordinator, the store deletes expired transactions, the oldest first and some at a time. A
/// transaction expires when it exceeds one of the limits and every named reader has read it
/// (`markHistoryRead(through:by:)`).
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// description.historyRetention = PersistentHistoryRetention(maximumAge: 7 * 24 * 60 * 60, readers: ["mailer"])
/// ```
public struct PersistentHistoryRetention: Hashable, Sendable {
    /// The greatest age in seconds of kept transactions, by their timestamps; nil for no limit.
    public var maximumAge: TimeInterval?
    /// The greatest number of kept transactions, of which the newest are kept; nil for no limit.
    public var maximumCount: Int?
    /// The greatest total size in bytes of kept transactions, of which the newest are kept; nil for no limit.
    ///
    /// The size is computed in the same way for every store type, and is close to the space that SQLite needs: 100
    /// bytes for each transaction, 40 for each change, and the size of values that are kept with it. `Docs/History.md`
    /// defines it.
    public var maximumSize: Int?
    /// The names of readers that must have read a transaction before it is deleted. While one of them has never read,
    /// nothing is deleted.
    public var readers: Set<String>

    /// Makes limits.
    public init(
        maximumAge: TimeInterval? = nil, maximumCount: Int? = nil, maximumSize: Int? = nil, readers: Set<String> = []
    ) {
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
        self.maximumSize = maximumSize
        self.readers = readers
    }

    /// Reads the limits in an option's value; nil for another object, or one without a limit.
    init?(option: Any?) {
        guard let values = option as? NSDictionary else { return nil }
        let age = (values["maximumAge"] as? NSNumber)?.doubleValue
        maximumAge = age.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        maximumCount = (values["maximumCount"] as? NSNumber).map { max(0, $0.intValue) }
        maximumSize = (values["maximumSize"] as? NSNumber).map { max(0, $0.intValue) }
        readers = Set((values["readers"] as? [String]) ?? [])
        guard maximumAge != nil || maximumCount != nil || maximumSize != nil else { return nil }
    }

    var option: NSDictionary {
        let values = NSMutableDictionary()
        values["maximumAge"] = maximumAge.map { NSNumber(value: $0) }
        values["maximumCount"] = maximumCount.map { NSNumber(value: $0) }
        values["maximumSize"] = maximumSize.map { NSNumber(value: $0) }
        values["readers"] = readers.sorted()
        return values
    }
}

extension NSPersistentStoreDescription {
    /// How long the store keeps its persistent history; by default nil, which means without limit.
    public var historyRetention: PersistentHistoryRetention? {
        get { PersistentHistoryRetention(option: options[CoreDataHistoryRetentionOption]) }
        set { setOption(newValue?.option, forKey: CoreDataHistoryRetentionOption) }
    }
}
