/// What Apple's framework does when it sets up a schema of CloudKit; without effect here.
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
