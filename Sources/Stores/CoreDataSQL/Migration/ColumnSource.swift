import CoreDataStore

/// Where the value of a column comes from, in the rows of one entity.
enum ColumnSource: Hashable {
    case null
    /// A column of the row, by its name of before.
    case column(String)
    /// A column of the row or, where it is null, a default value, which is written in the given form. For an element of
    /// a composite, `beside` lists the former columns of other elements; if all are null, the default is not used.
    case filled(String, SQLParameter, LargeValueForm = .plain, beside: [String]? = nil)
    /// A column of numbers of another type, and what rows without a value get, as `filled` gives it.
    case converted(String, NumberConversion, filling: SQLParameter? = nil, beside: [String]? = nil)
    case value(SQLParameter)
    /// A column with entity numbers, which are others now.
    case number(String, [Int: Int])
    /// A column with large values, which get or lose the byte that says where they are, and what rows without a value get,
    /// as with `filled`.
    case large(String, LargeValueForm, filling: SQLParameter? = nil, beside: [String]? = nil)
    /// A value of a new attribute that may be stored in a file.
    case largeValue(SQLParameter)
    /// A value of a new element of a composite, for rows in which one of the other elements, by columns of before, has one.
    case beside([String], SQLParameter, LargeValueForm)
    /// A query about other rows of before, in which `o` is the row.
    case query(String)

    /// The stored form of a value: with the byte that says where it is, or without.
    enum LargeValueForm: Hashable {
        case marked
        case plain
    }

    /// The SQL function that gives a value the form of attributes whose values may be stored in files.
    static let marking = "coredata_marked"
    /// The function of SQL that gives a value the form of attributes whose values stand in their rows.
    static let unmarking = "coredata_plain"
    /// The function of SQL that makes a number one of another type, by the numbers of both types; null for one that does not fit.
    static let converting = "coredata_number"

    /// The column of before that the value is made of; nil for any other source.
    var carrier: String? {
        switch self {
        case .column(let name), .filled(let name, _, _, _), .converted(let name, _, _, _), .number(let name, _),
            .large(let name, _, _, _):
            name
        case .null, .value, .largeValue, .beside, .query: nil
        }
    }

    /// Whether rows without a value get one.
    var fillsValues: Bool {
        switch self {
        case .filled, .large(_, _, filling: .some, _), .converted(_, _, filling: .some, _): true
        default: false
        }
    }

    /// Whether the values become others than the column has, of another type.
    var converts: Bool {
        if case .converted = self { return true }
        return false
    }

    /// Whether the row alone says the value.
    var isOfOwnRow: Bool {
        if case .query = self { return false }
        return true
    }

    /// The value of a column of a type as SQL; `name` gives the SQL name of a former column.
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

    /// A column whose values get a form.
    static func formed(_ column: String, _ form: LargeValueForm) -> String {
        "\(form == .marked ? marking : unmarking)(\(column))"
    }

    /// A value for rows in which at least one of some columns has a value; for all rows if the columns are nil.
    private static func beside(_ columns: [String]?, _ value: SQLText) -> SQLText {
        guard let columns else { return value }
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
        return "CASE WHEN \(present) THEN " + value + " END"
    }

    /// A value that is plain, in a form.
    private static func constant(
        _ value: SQLParameter, form: LargeValueForm, type: ColumnType, dialect: any MigrationDialect
    ) -> SQLText {
        form == .plain ? dialect.bound(value, type) : "\(marking)(" + dialect.bound(value, type) + ")"
    }

    /// Former entity numbers as new ones; null for removed entities.
    static func translation(of column: String, _ numbers: [Int: Int]) -> String {
        guard numbers.contains(where: { $0 != $1 }) else { return column }
        let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0) THEN \($1)" }
        return "CASE \(column) \(cases.joined(separator: " ")) END"
    }
}
