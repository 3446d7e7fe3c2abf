/// The methods that a fetch or a save calls on each of its objects, of those that do something: by default most do nothing,
/// and calling them on each of many objects takes longer than writing these.
struct ObjectHooks: OptionSet {
    let rawValue: UInt8

    static let willSave = ObjectHooks(rawValue: 1)
    static let didSave = ObjectHooks(rawValue: 2)
    static let validateForInsert = ObjectHooks(rawValue: 4)
    static let validateForUpdate = ObjectHooks(rawValue: 8)
    static let validateForDelete = ObjectHooks(rawValue: 16)
    static let awakeFromFetch = ObjectHooks(rawValue: 32)
}
