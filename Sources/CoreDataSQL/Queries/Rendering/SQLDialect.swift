/// Where the databases differ in what they call the same thing.
package struct SQLDialect: Sendable {
    /// The name under which a connection has the search index, and that of a table of the index.
    package let searchSchema = "search"

    /// The table that answers a search.
    func searchTable(_ search: SQLSearch) -> String { (search.isOfWords ? "words" : "trigrams") + "\(search.index)" }

    /// Equality and inequality in which NULL is a value like any other.
    let same: String
    let differs: String
    /// What is bound as the limit of a query that has none.
    let noLimit: SQLParameter
    /// Whether NULL already comes first in ascending order.
    let sortsNullFirst: Bool
    /// How many symbols the parser can hold open; nil for any number.
    let parserDepth: Int?
    /// The placeholder of a parameter by its number, from 1.
    let placeholder: @Sendable (Int) -> String
    /// The table of a JSON array's elements, given the placeholder of the array.
    let elements: @Sendable (String, SQLList.Encoding) -> String
}

extension SQLDialect {
    /// SQLite 3.39 or newer.
    package static let sqlite = SQLDialect(
        same: "IS", differs: "IS NOT", noLimit: .integer(-1), sortsNullFirst: true,
        // Up to 3.45 the parser's stack has 100 places; some are left for the statement around a condition.
        parserDepth: 88, placeholder: { _ in "?" },
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
