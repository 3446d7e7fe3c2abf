/// The differences between the SQL of the databases.
package struct SQLDialect: Sendable {
    /// The schema name under which a connection attaches the search index.
    package let searchSchema = "search"

    /// Returns the table of the search index that evaluates a search.
    func searchTable(_ search: SQLSearch) -> String { (search.isOfWords ? "words" : "trigrams") + "\(search.index)" }

    /// The prefix of the names of the store's tables, such as a schema name and a dot.
    package let namespace: String

    /// The suffix of an ordering that sorts NULL first.
    var nullsFirst: String { sortsNullFirst ? "" : " NULLS FIRST" }

    /// Returns the SQL name of one of the store's tables.
    package func table(_ name: String) -> String { namespace + SQLIdentifier.quoted(name) }

    /// The operators of equality and inequality that treat NULL as a value like any other.
    let same: String
    let differs: String
    /// The SQL written in place of a parameter that is NULL; nil if NULL is bound like other values.
    let null: String?
    /// The limit parameter of a query that has an offset and no limit.
    let noLimit: SQLParameter
    /// Whether columns of decimals store all digits.
    let keepsDecimals: Bool
    /// Whether NULL sorts first in ascending order by default.
    let sortsNullFirst: Bool
    /// The capacity of the parser's stack for one condition; nil if it is unlimited.
    let parserDepth: Int?
    /// Returns the placeholder of a parameter with a number, counted from 1.
    let placeholder: @Sendable (Int, SQLParameter) -> String
    /// The subquery for a list of keys that is the first parameter.
    let keyList: String
    /// The number of the day of a time, in parts between which the time is written.
    ///
    /// It contains no parameter, so that a database recognizes it as the same expression in a result, a group and an
    /// order.
    let day: [String]
    /// Returns the query for the elements of a JSON array, given the array's placeholder.
    let elements: @Sendable (String, SQLList.Encoding) -> String
}

extension SQLDialect {
    /// SQLite 3.39 or newer.
    package static let sqlite = SQLDialect(
        namespace: "", same: "IS", differs: "IS NOT", null: nil, noLimit: .integer(-1), keepsDecimals: false,
        sortsNullFirst: true,
        // Until version 3.45 the parser's stack has 100 entries; some are reserved for the statement around a
        // condition.
        parserDepth: 88, placeholder: { _, _ in "?" },
        keyList: "(SELECT value FROM json_each(?1))",
        // Numbers sort before texts and data. CAST discards the fraction and stops at the ends of 64 bits; the second
        // term corrects times before 2001, where that rounds up.
        day: [
            "CASE WHEN ", " < '' THEN CAST(", " AS INTEGER) / 86400 - (CAST(", " AS INTEGER) / 86400 * 86400 > ",
            ") END",
        ],
        elements: { placeholder, encoding in
            let value =
                switch encoding {
                case .integers, .texts: "value"
                case .reals: "\(SQLFunctionLibrary.realOfBits)(value)"
                case .digitsOfBlobs: "\(SQLFunctionLibrary.bytesOfDigits)(value)"
                case .digitsOfTexts: "CAST(\(SQLFunctionLibrary.bytesOfDigits)(value) AS TEXT)"
                }
            return "SELECT \(value) FROM json_each(\(placeholder))"
        })
}

extension SQLDialect {
    /// PostgreSQL 14 or newer, with the store's tables in a schema.
    ///
    /// Every parameter states its type; otherwise the server infers it from the context.
    package static func postgres(schema: String) -> SQLDialect {
        SQLDialect(
            namespace: SQLIdentifier.alwaysQuoted(schema) + ".",
            same: "IS NOT DISTINCT FROM", differs: "IS DISTINCT FROM", null: "NULL", noLimit: .null,
            keepsDecimals: true, sortsNullFirst: false, parserDepth: nil, placeholder: postgresPlaceholder,
            keyList: "(SELECT unnest($1::int8[]))", day: postgresDay, elements: postgresElements)
    }

    /// NaN is greater than all other numbers. The bounds are the least and the greatest real within 64 bits.
    private static let postgresDay: [String] = {
        let start = "floor(greatest(least("
        let end = ", 9223372036854774784), -9223372036854775808::float8))::int8"
        return ["CASE WHEN ", " < 'NaN' THEN \(start)", "\(end) / 86400 - (\(start)", "\(end) % 86400 < 0)::int4 END"]
    }()

    private static let postgresPlaceholder: @Sendable (Int, SQLParameter) -> String = { number, parameter in
        switch parameter {
        case .null, .integer: "$\(number)::int8"
        case .real: "$\(number)::float8"
        case .text: "$\(number)::text"
        case .blob: "$\(number)::bytea"
        }
    }

    private static let postgresElements: @Sendable (String, SQLList.Encoding) -> String = { placeholder, encoding in
        let value =
            switch encoding {
            case .integers: "value::int8"
            case .texts: "value"
            case .reals: "value::float8"
            case .digitsOfBlobs: "decode(value, 'hex')"
            case .digitsOfTexts: "convert_from(decode(value, 'hex'), 'UTF8')"
            }
        return "SELECT \(value) FROM json_array_elements_text(\(placeholder)::json) AS value"
    }
}
