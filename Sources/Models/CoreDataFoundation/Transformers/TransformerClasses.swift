import CSwiftRuntime
import Synchronization

/// Makes value transformers from the names of their classes.
enum TransformerClasses {
    /// The names for which no transformer could be made, with the number of modules that were searched.
    private static let missing = Mutex<[String: Int]>([:])

    /// Makes a transformer of the class with a name; nil if the class does not exist or has stored properties.
    static func instance(named name: String) -> ValueTransformer? {
        let modules = SearchedModules.all
        guard missing.withLock({ $0[name] }) != modules.count else { return nil }
        guard let found = objectClass(named: name, in: modules), let made = instance(of: found) else {
            missing.withLock { $0[name] = modules.count }
            return nil
        }
        return made
    }

    private static func objectClass(named name: String, in modules: [String]) -> ValueTransformer.Type? {
        let candidates = (name.contains(".") ? [name] : []) + modules.map { "\($0).\(name)" }
        return candidates.lazy.compactMap { _typeByName($0) as? ValueTransformer.Type }.first
    }

    /// Allocates a transformer without an initializer: subclasses need not have any particular one that could be
    /// called.
    ///
    /// An object without stored properties is complete once the runtime has allocated it.
    private static func instance(of type: ValueTransformer.Type) -> ValueTransformer? {
        guard StoredField.all(of: type).isEmpty else { return nil }
        let place = swift_allocObject(
            RuntimeShortcuts.address(of: type), StoredField.firstOffset, MemoryLayout<UInt64>.alignment - 1)
        return Unmanaged<ValueTransformer>.fromOpaque(place).takeRetainedValue()
    }
}
