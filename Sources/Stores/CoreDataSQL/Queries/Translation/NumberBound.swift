import CoreDataStore

/// A number as SQLite can hold it, and on which side of the number itself that lies.
///
/// Integers and doubles are themselves. A decimal that no double equals, or an integer above 64 bits, becomes the nearest
/// value; no column can hold one between the two, so a comparison with the number is one with the nearest value.
struct NumberBound {
    /// The decimal that is not a number, as stores have it.
    static let decimalNaN = SQLParameter.text("NaN")

    let parameter: SQLParameter
    /// Where the parameter lies: `orderedAscending` below the number.
    let position: ComparisonResult

    /// Nil for what is not a number.
    init?(_ number: ExactNumber) {
        switch number {
        case .integer(let value): self.init(.integer(value), .orderedSame)
        case .unsigned(let value): self.init(real: Double(value), number)
        case .double(let value):
            guard !value.isNaN else { return nil }
            self.init(.real(value), .orderedSame)
        case .decimal(let value): self.init(decimal: value)
        }
    }

    /// The value for an equality; nil if no column can hold it.
    var exact: SQLParameter? { position == .orderedSame ? parameter : nil }

    /// The comparison with the parameter that says what the given one says of the number.
    func comparison(_ wanted: SQLComparison) -> SQLComparison {
        switch (wanted, position) {
        case (.less, .orderedAscending): .lessOrEqual
        case (.lessOrEqual, .orderedDescending): .less
        case (.greater, .orderedDescending): .greaterOrEqual
        case (.greaterOrEqual, .orderedAscending): .greater
        default: wanted
        }
    }

    private init(_ parameter: SQLParameter, _ position: ComparisonResult) {
        self.parameter = parameter
        self.position = position
    }

    private init?(real: Double, _ number: ExactNumber) {
        guard let position = ExactNumber.double(real).order(to: number) else { return nil }
        self.init(.real(real), position)
    }

    private init?(decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        // From 2^53 on every double is an integer, so the integer part compares like the number.
        if let whole = ExactNumber.decimal(decimal).integer,
            Decimal(whole) == decimal || whole.magnitude >= 1 << 53
        {
            self.init(.integer(whole), ExactNumber.integer(whole).order(to: .decimal(decimal)) ?? .orderedSame)
            return
        }
        guard let nearest = Double(decimal.description) else { return nil }
        self.init(real: nearest, .decimal(decimal))
    }
}
