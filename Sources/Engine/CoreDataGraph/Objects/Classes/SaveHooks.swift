/// The methods that a save calls on each changed object, of those that do something: by default most do nothing, and calling
/// them on each of many objects takes longer than writing these.
struct SaveHooks: OptionSet {
    let rawValue: UInt8

    static let willSave = SaveHooks(rawValue: 1)
    static let didSave = SaveHooks(rawValue: 2)
    static let validateForInsert = SaveHooks(rawValue: 4)
    static let validateForUpdate = SaveHooks(rawValue: 8)
    static let validateForDelete = SaveHooks(rawValue: 16)

    /// Those that a class overrides; all of them where overrides cannot be detected.
    init(overriddenBy objectClass: NSManagedObject.Type) {
        let all: [(SaveHooks, MethodOverrides)] = [
            (.willSave, .willSave), (.didSave, .didSave), (.validateForInsert, .insertValidation),
            (.validateForUpdate, .updateValidation), (.validateForDelete, .deletionValidation),
        ]
        self = all.reduce(into: []) { if $1.1.isOverridden(by: objectClass) { $0.insert($1.0) } }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension NSManagedObjectContext {
    /// Whether a method of a save is to be called on an object.
    @inline(__always) func calls(_ hook: SaveHooks, on object: NSManagedObject) -> Bool {
        registry.hasOtherClasses || object.layout.saveHooks.contains(hook)
    }
}
