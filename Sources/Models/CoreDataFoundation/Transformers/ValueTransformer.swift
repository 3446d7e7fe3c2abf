import Synchronization

/// Turns the values of a transformable attribute into what a store keeps, and back.
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
    /// Makes an empty one; a subclass may have other initializers instead.
    public override init() {
        super.init()
    }

    /// The class of the results of `transformedValue(_:)`.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// Whether the transformation can be turned round.
    open class func allowsReverseTransformation() -> Bool { false }

    /// The transformed value.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value whose transformation was `value`; stops the process where the class does not allow it, as Apple's
    /// does.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard Self.allowsReverseTransformation() else { stop("\(Self.self) does not allow reverse transformation") }
        return transformedValue(value)
    }
}

extension ValueTransformer {
    /// Transformers are used from any thread; their subclasses answer for it, as on Apple's platforms.
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

    /// The transformer of a name: a registered one, one of Apple's predefined ones, one of the class of that name, which is
    /// then registered, or nil.
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

/// Gives `ValueTransformer` an initializer that finds instead of making.
public protocol NamedTransforming {}

extension ValueTransformer: NamedTransforming {}

extension NamedTransforming where Self: ValueTransformer {
    /// The transformer of a name, the same object each time for a registered one; nil if none is found.
    ///
    /// A name that is not registered may be that of a class, with its module or, in the modules named with
    /// `ObjectClassResolver.register(module:)` and the program's own, without. A transformer of the class is then made and
    /// registered, as on Apple's systems, but its initializers are not run: a class with its own stored properties is not
    /// found this way.
    public init?(forName name: NSValueTransformerName) {
        guard let found = ValueTransformer.registered(forName: name) as? Self else { return nil }
        self = found
    }
}
