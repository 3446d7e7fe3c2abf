import CoreDataStore

/// The type of a fetch's results: managed objects, their identifiers, dictionaries or numbers.
@_marker public protocol NSFetchRequestResult: AnyObject {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The kind of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// The value by which it is stored and compared.
    public let rawValue: UInt
    /// Makes the value with a raw value; any raw value is accepted.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType = NSFetchRequestResultType([])
    /// Identifiers.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of values.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// The number of objects.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
