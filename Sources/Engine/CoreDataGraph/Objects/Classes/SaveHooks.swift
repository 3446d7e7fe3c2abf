/// The methods that a save must call on changed objects. By default most of them do nothing, and calling them on many
/// objects would take longer than writing the objects.
struct SaveHooks: OptionSet {
    let rawValue: UInt8

    static let willSave = SaveHooks(rawValue: 1)
    static let didSave = SaveHooks(rawValue: 2)
    static let validateForInsert = SaveHooks(rawValue: 4)
    static let validateForUpdate = SaveHooks(rawValue: 8)
    static let validateForDelete = SaveHooks(rawValue: 16)
}
