import CoreDataStore

/// Whether uses of contexts and objects off their queues are to be found, which stops the process at the first one.
///
/// Asked for by the argument `-com.apple.CoreData.ConcurrencyDebug 1` as on Apple's platforms, by an environment variable
/// of the same name, or by the user default. Decided once, when the first context is made.
enum ConcurrencyDebug {
    static let name = "com.apple.CoreData.ConcurrencyDebug"

    static let isOn = LaunchSettings.text(name).map { ($0 as NSString).boolValue } ?? false

    /// The flags of every object of a context at first.
    static let memberFlags: ObjectFlags = isOn ? [.registered, .guarded] : .registered
}
