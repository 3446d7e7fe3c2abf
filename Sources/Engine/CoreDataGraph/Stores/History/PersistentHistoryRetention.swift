import CoreDataStore

/// Option: how long the store keeps its persistent history, as a `PersistentHistoryRetention` writes it.
///
/// Not one of Apple's; `NSPersistentStoreDescription.historyRetention` sets it.
public let CoreDataHistoryRetentionOption = "CoreDataHistoryRetention"

/// How long a store keeps its persistent history; not in Apple's framework.
///
/// Expired transactions are deleted after saves of this coordinator, the oldest first and some at a time. A transaction expires
/// when it exceeds one of the limits and every named reader has read it (`markHistoryRead(through:by:)`).
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// description.historyRetention = PersistentHistoryRetention(maximumAge: 7 * 24 * 60 * 60, readers: ["mailer"])
/// ```
public struct PersistentHistoryRetention: Hashable, Sendable {
    /// For how many seconds transactions are kept, by their own times; nil for no limit.
    public var maximumAge: TimeInterval?
    /// How many transactions are kept, the newest ones; nil for no limit.
    public var maximumCount: Int?
    /// How many bytes of history are kept, the newest transactions that together take no more; nil for no limit.
    ///
    /// The bytes have a separate definition, which is the same for every store type and close to the space that SQLite needs:
    /// 100 for each transaction, 40 for each change, and what values are kept with them. `Docs/History.md` has it.
    public var maximumSize: Int?
    /// The names of readers that must have read a transaction before it is deleted; one that has never read keeps all.
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

    /// The limits that an option holds; nil for another object, or one without a limit.
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
    /// How long the store keeps its persistent history; nil, for unlimited, at first.
    public var historyRetention: PersistentHistoryRetention? {
        get { PersistentHistoryRetention(option: options[CoreDataHistoryRetentionOption]) }
        set { setOption(newValue?.option, forKey: CoreDataHistoryRetentionOption) }
    }
}
