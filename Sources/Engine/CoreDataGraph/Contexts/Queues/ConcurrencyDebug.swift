import CoreDataStore

/// Whether contexts check that they and their objects are used on their queues; the first use elsewhere stops the
/// process.
///
/// Enabled by the argument `-com.apple.CoreData.ConcurrencyDebug 1` as on Apple's platforms, by an environment variable
/// of the same name, or by the user default. Decided once, when the first context is made.
/// of the same name, or by the user default. Decided once, when the first context is made.
enum ConcurrencyDebug {
    static let name = "com.apple.CoreData.ConcurrencyDebug"

    static let isOn = LaunchSettings.text(name).map { ($0 as NSString).boolValue } ?? false

    /// The initial flags of every object of a context.
    static let memberFlags: ObjectFlags = isOn ? [.registered, .guarded] : .registered
}
