import CoreDataStore

/// Where a migration takes the value of a new column from, for the rows of one old entity.
enum ColumnSource: Hashable {
    case null
    /// A column of the row, by its old name.
    case column(String)
    /// A column of the row or, if it is null, a default value, which is written in the given form. For an element of a
    /// composite, `beside` lists the old columns of other elements; if all of them are null, the default is not used.
    case filled(String, SQLParameter, LargeValueForm = .plain, beside: [String]? = nil)
    /// A column of numbers that get another type; `filling` and `beside` say what rows without a value get, as with
    /// `filled`.
    case converted(String, NumberConversion, filling: SQLParameter? = nil, beside: [String]? = nil)
    case value(SQLParameter)
    /// A column with entity numbers, and the new number for each old one.
    case number(String, [Int: Int])
    /// A column with large values, which get or lose the byte that says where they are stored; `filling` and `beside`
    /// say what rows without a value get, as with `filled`.
    case large(String, LargeValueForm, filling: SQLParameter? = nil, beside: [String]? = nil)
    /// A value of a new attribute that allows external storage.
    case largeValue(SQLParameter)
    /// A value of a new element of a composite, for rows in which one of the other elements, given by old columns, has
    /// a value.
    case beside([String], SQLParameter, LargeValueForm)
    /// A subquery over other rows of the old tables, in which `o` is the row.
    case query(String)

    /// The stored form of a value: with the byte that says where it is stored, or without it.
    enum LargeValueForm: Hashable {
        case marked
        case plain
    }

    /// The SQL function that converts a value to the form of attributes that allow external storage.
    static let marking = "coredata_marked"
    /// The SQL function that converts a value to the form of attributes whose values are always stored in their rows.
    static let unmarking = "coredata_plain"
    /// The SQL function that converts a number, given the numbers of the old and the new type; null for a number that
    /// does not fit.
    static let converting = "coredata_number"

    /// The old column that the value comes from; nil for a source without one.
    var carrier: String? {
        switch self {
        case .column(let name), .filled(let name, _, _, _), .converted(let name, _, _, _), .number(let name, _),
            .large(let name, _, _, _):
            name
        case .null, .value, .largeValue, .beside, .query: nil
        }
    }

    /// Whether rows whose old value is null get a default value.
    var fillsValues: Bool {
        switch self {
        case .filled, .large(_, _, filling: .some, _), .converted(_, _, filling: .some, _): true
        default: false
        }
    }

    /// Whether the values are converted to another numeric type.
    var converts: Bool {
        if case .converted = self { return true }
        return false
    }

    /// Whether the value depends on the row alone.
    var isOfOwnRow: Bool {
        if case .query = self { return false }
        return true
    }

    /// Returns the value of a column of `type` as SQL; `name` returns the SQL name of an old column.
    func text(_ type: ColumnType, dialect: any MigrationDialect, name: (String) -> String) -> SQLText {
        switch self {
        case .null: SQLText("NULL")
        case .column(let column): SQLText(name(column))
        case .filled(let column, let value, let form, let others):
            "coalesce(\(name(column)), "
                + Self.beside(others?.map(name), Self.constant(value, form: form, type: type, dialect: dialect)) + ")"
        case .converted(let column, let conversion, filling: nil, _):
            SQLText(dialect.converted(name(column), conversion))
        case .converted(let column, let conversion, filling: let value?, let others):
            "coalesce(\(dialect.converted(name(column), conversion)), "
                + Self.beside(others?.map(name), dialect.bound(value, type)) + ")"
        case .value(let value): dialect.bound(value, type)
        case .number(let column, let numbers): SQLText(Self.translation(of: name(column), numbers))
        case .large(let column, let form, filling: nil, _): SQLText(Self.formed(name(column), form))
        case .large(let column, let form, filling: let value?, let others):
            "coalesce(\(Self.formed(name(column), form)), "
                + Self.beside(others?.map(name), Self.constant(value, form: form, type: type, dialect: dialect)) + ")"
        case .largeValue(let value): Self.constant(value, form: .marked, type: type, dialect: dialect)
        case .beside(let columns, let value, let form):
            Self.beside(columns.map(name), Self.constant(value, form: form, type: type, dialect: dialect))
        case .query(let query): SQLText("(\(query))")
        }
    }

    /// Returns the SQL that converts the values of a column to a form.
    static func formed(_ column: String, _ form: LargeValueForm) -> String {
        "\(form == .marked ? marking : unmarking)(\(column))"
    }

    /// Returns a value for rows in which at least one of the columns has a value; for all rows if `columns` is nil.
    private static func beside(_ columns: [String]?, _ value: SQLText) -> SQLText {
        guard let columns else { return value }
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
        return "CASE WHEN \(present) THEN " + value + " END"
    }

    /// Returns a plain value, converted to a form.
    private static func constant(
        _ value: SQLParameter, form: LargeValueForm, type: ColumnType, dialect: any MigrationDialect
    ) -> SQLText {
        form == .plain ? dialect.bound(value, type) : "\(marking)(" + dialect.bound(value, type) + ")"
    }

    /// Returns the SQL that maps old entity numbers to new ones; null for those of removed entities.
    static func translation(of column: String, _ numbers: [Int: Int]) -> String {
        guard numbers.contains(where: { $0 != $1 }) else { return column }
        let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0) THEN \($1)" }
        return "CASE \(column) \(cases.joined(separator: " ")) END"
    }
}
