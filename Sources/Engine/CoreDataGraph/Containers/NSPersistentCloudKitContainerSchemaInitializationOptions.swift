/// Options for setting up a CloudKit schema in Apple's framework; they have no effect here.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
    /// The options as a number.
    public let rawValue: UInt

    /// Makes options of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Checks the model and uploads nothing.
    public static let dryRun = Self(rawValue: 1 << 1)
    /// Prints the records.
    public static let printSchema = Self(rawValue: 1 << 2)
}
