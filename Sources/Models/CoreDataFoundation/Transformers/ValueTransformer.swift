import Synchronization

/// Converts the values of a transformable attribute to values that a store can keep, and back.
///
/// Subclasses override `transformedValue(_:)` and, where it is possible, `reverseTransformedValue(_:)`. A transformer
/// that is registered is called from any thread.
///
/// ```swift
/// final class ReversingTransformer: ValueTransformer {
///     override class func allowsReverseTransformation() -> Bool { true }
///     override func transformedValue(_ value: Any?) -> Any? { (value as? Data).map { Data($0.reversed()) } }
///     override func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
/// }
/// ValueTransformer.setValueTransformer(ReversingTransformer(), forName: NSValueTransformerName("Reversing"))
/// attribute.valueTransformerName = "Reversing"
/// ```
open class ValueTransformer: NSObject {
    /// Makes a transformer; a subclass may have other initializers instead.
    public override init() {
        super.init()
    }

    /// The class of the results of `transformedValue(_:)`.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether the transformer has a reverse transformation.
    open class func allowsReverseTransformation() -> Bool { false }

    /// The transformed value.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value whose transformed value is `value`; stops the process if the class does not allow it, as Apple's
    /// raises.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard Self.allowsReverseTransformation() else { stop("\(Self.self) does not allow reverse transformation") }
        return transformedValue(value)
    }
}

extension ValueTransformer {
    /// Sendable because transformers are used from any thread; as on Apple's platforms, subclasses must allow that.
    private struct Registered: @unchecked Sendable {
        let transformer: ValueTransformer
    }

    /// Guards the registered transformers by name.
    private static let registry = Mutex<[NSValueTransformerName: Registered]>([:])

    /// Registers a transformer under a name, or removes the name with nil.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        let registered = transformer.map { Registered(transformer: $0) }
        registry.withLock { $0[name] = registered }
    }

    /// The transformer of a name: the registered one, otherwise a predefined one of Apple's, otherwise one of the class
    /// of that name, which is then registered; nil if there is none.
    package static func registered(forName name: NSValueTransformerName) -> ValueTransformer? {
        if let known = registry.withLock({ $0[name] }) { return known.transformer }
        if let make = predefined[name] { return make() }
        guard let made = TransformerClasses.instance(named: name.rawValue).map({ Registered(transformer: $0) }) else {
            return nil
        }
        return registry.withLock { registry in
            let registered = registry[name] ?? made
            registry[name] = registered
            return registered
        }.transformer
    }

    /// The registered and predefined names, sorted.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        let names = Set(registry.withLock { Array($0.keys) }).union(predefined.keys)
        return names.sorted { $0.rawValue < $1.rawValue }
    }

    private static let predefined: [NSValueTransformerName: @Sendable () -> ValueTransformer] = [
        .negateBooleanTransformerName: { NegateBooleanTransformer() },
        .isNilTransformerName: { IsNilTransformer() },
        .isNotNilTransformerName: { IsNotNilTransformer() },
        .unarchiveFromDataTransformerName: { NSSecureUnarchiveFromDataTransformer() },
        .keyedUnarchiveFromDataTransformerName: { NSSecureUnarchiveFromDataTransformer() },
        .secureUnarchiveFromDataTransformerName: { NSSecureUnarchiveFromDataTransformer() },
    ]
}

/// Gives `ValueTransformer` an initializer that returns an existing transformer.
public protocol NamedTransforming {}

extension ValueTransformer: NamedTransforming {}

extension NamedTransforming where Self: ValueTransformer {
    /// The transformer of a name, the same object each time for a registered one; nil if none is found.
    ///
    /// A name that is not registered may be that of a class: with its module, or without if the class is in the
    /// program's module or in one named with `ObjectClassResolver.register(module:)`. A transformer of the class is
    /// then made and registered, as on Apple's systems, but without running an initializer: a class with stored
    /// properties of its own is not found.
    public init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.registered(forName: name) as? Self else { return nil }
        self = found
    }
}
