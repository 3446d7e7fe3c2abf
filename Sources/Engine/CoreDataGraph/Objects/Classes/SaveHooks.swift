/// The methods that a save calls on each changed object, of those that do something: by default most do nothing, and calling
/// them on each of many objects takes longer than writing these.
struct SaveHooks: OptionSet {
    let rawValue: UInt8

    static let willSave = SaveHooks(rawValue: 1)
    static let didSave = SaveHooks(rawValue: 2)
    static let validateForInsert = SaveHooks(rawValue: 4)
    static let validateForUpdate = SaveHooks(rawValue: 8)
    static let validateForDelete = SaveHooks(rawValue: 16)
}
