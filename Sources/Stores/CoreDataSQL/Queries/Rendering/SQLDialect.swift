/// The differences in the SQL of the databases.
package struct SQLDialect: Sendable {
    /// The name under which a connection has the search index, and that of a table of the index.
    package let searchSchema = "search"

    /// The table that answers a search.
    func searchTable(_ search: SQLSearch) -> String { (search.isOfWords ? "words" : "trigrams") + "\(search.index)" }

    /// The prefix of the names of the store's tables, such as a schema and a point.
    package let namespace: String

    /// The order of a column in which NULL comes first, as it stands behind its name.
    var nullsFirst: String { sortsNullFirst ? "" : " NULLS FIRST" }

    /// The name of a table of the store as it stands in a query.
    package func table(_ name: String) -> String { namespace + SQLIdentifier.quoted(name) }

    /// Equality and inequality in which NULL is a value like any other.
    let same: String
    let differs: String
    /// What stands in place of NULL as a value that is bound; nil where it is bound like any other.
    let null: String?
    /// The parameter for the limit of a query without one.
    let noLimit: SQLParameter
    /// Whether columns of decimals keep all digits.
    let keepsDecimals: Bool
    /// Whether NULL already comes first in ascending order.
    let sortsNullFirst: Bool
    /// How many symbols the parser can hold open; nil for any number.
    let parserDepth: Int?
    /// The placeholder of a parameter by its number, from 1.
    let placeholder: @Sendable (Int, SQLParameter) -> String
    /// The table of many keys that are the first parameter.
    let keyList: String
    /// The table of a JSON array's elements, given the placeholder of the array.
    let elements: @Sendable (String, SQLList.Encoding) -> String
}

extension SQLDialect {
    /// SQLite 3.39 or newer.
    package static let sqlite = SQLDialect(
        namespace: "", same: "IS", differs: "IS NOT", null: nil, noLimit: .integer(-1), keepsDecimals: false,
        sortsNullFirst: true,
        // Up to 3.45 the parser's stack has 100 places; some are left for the statement around a condition.
        parserDepth: 88, placeholder: { _, _ in "?" },
        keyList: "(SELECT value FROM json_each(?1))",
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
            keyList: "(SELECT unnest($1::int8[]))", elements: postgresElements)
    }

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
