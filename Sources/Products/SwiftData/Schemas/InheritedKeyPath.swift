/// Key paths of inherited properties.
///
/// `\BusinessTrip.name` and `\Trip.name` lead to one property and are not equal, since their types differ. Appended to the
/// path of an object in a box, both begin at the box, and are equal.
enum InheritedKeyPath {
    private struct Box<Model: AnyObject> { var model: Model }

    /// The form in which a key path of a class, or of one of its subclasses, is compared.
    static func of(_ path: AnyKeyPath, _ type: any PersistentModel.Type) -> AnyKeyPath { inBox(path, type) }

    /// A key path of a superclass as one of the class.
    static func partial<Model: PersistentModel>(_ path: AnyKeyPath, _ type: Model.Type) -> PartialKeyPath<Model> {
        Unmanaged<PartialKeyPath<Model>>.fromOpaque(Unmanaged.passUnretained(path).toOpaque()).takeUnretainedValue()
    }

    /// Whether a key path begins at a proper subclass of a model class.
    static func isOfSubclass(_ path: AnyKeyPath, _ type: any PersistentModel.Type) -> Bool {
        var ancestor = (Swift.type(of: path).rootType as? any PersistentModel.Type)?._$superclass
        while let present = ancestor {
            if ObjectIdentifier(present) == ObjectIdentifier(type) { return true }
            ancestor = present._$superclass
        }
        return false
    }

    private static func inBox<Model: PersistentModel>(_ path: AnyKeyPath, _ type: Model.Type) -> AnyKeyPath {
        let value: any Any.Type = Swift.type(of: path).valueType
        func appended<Value>(_ type: Value.Type) -> AnyKeyPath {
            // A path from a subclass is one from the class: the object is the same, and so is the property.
            let plain = Unmanaged<KeyPath<Model, Value>>.fromOpaque(Unmanaged.passUnretained(path).toOpaque())
                .takeUnretainedValue()
            return (\Box<Model>.model as KeyPath<Box<Model>, Model>).appending(path: plain)
        }
        return _openExistential(value, do: appended)
    }
}
