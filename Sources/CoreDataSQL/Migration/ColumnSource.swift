import CoreDataStore

/// Where the value of a column comes from, in the rows of one entity.
enum ColumnSource: Hashable {
    case null
    /// A column of the row, by its name of before.
    case column(String)
    /// A column of the row, and what rows without a value get.
    case filled(String, SQLParameter)
    case value(SQLParameter)
    /// A column with entity numbers, which are others now.
    case number(String, [Int: Int])
    /// A column with large values, which get or lose the byte that says where they are.
    case large(String, LargeValueForm)
    /// A value of a new attribute that may be kept in a file.
    case largeValue(SQLParameter)
    /// A query about other rows of before, in which `o` is the row.
    case query(String)

    /// How the stored form of a value changes.
    enum LargeValueForm: Hashable {
        case marked
        case plain
    }

    /// The function of SQL that gives a value the form of attributes whose values may be kept in files.
    static let marking = "coredata_marked"
    /// The function of SQL that gives a value the form of attributes whose values stand in their rows.
    static let unmarking = "coredata_plain"

    /// The column of before that the value is made of; nil for any other source.
    var carrier: String? {
        switch self {
        case .column(let name), .filled(let name, _), .number(let name, _), .large(let name, _): name
        case .null, .value, .largeValue, .query: nil
        }
    }

    /// Whether the row alone says the value.
    var isOfOwnRow: Bool {
        if case .query = self { return false }
        return true
    }

    /// The value as SQL; `name` tells how a column of before is called.
    func text(_ name: (String) -> String) -> SQLText {
        switch self {
        case .null: SQLText("NULL")
        case .column(let column): SQLText(name(column))
        case .filled(let column, let value): "IFNULL(\(name(column)), " + SQLText.bound(value) + ")"
        case .value(let value): .bound(value)
        case .number(let column, let numbers): SQLText(Self.translation(of: name(column), numbers))
        case .large(let column, let form):
            SQLText("\(form == .marked ? Self.marking : Self.unmarking)(\(name(column)))")
        case .largeValue(let value): "\(Self.marking)(" + SQLText.bound(value) + ")"
        case .query(let query): SQLText("(\(query))")
        }
    }

    /// Entity numbers of before as those of now; null for those that are gone.
    static func translation(of column: String, _ numbers: [Int: Int]) -> String {
        guard numbers.contains(where: { $0 != $1 }) else { return column }
        let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0) THEN \($1)" }
        return "CASE \(column) \(cases.joined(separator: " ")) END"
    }
}
