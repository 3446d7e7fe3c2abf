import CoreDataStore

/// A number in a form that SQLite can store, and the position of the stored value relative to the number.
///
/// Integers and doubles are exact. A decimal that no double equals, or an integer above 64 bits, becomes the nearest
/// value; no column can contain a value between the two, so comparing with the nearest value gives the right result.
struct NumberBound {
    /// The stored form of the decimal NaN.
    static let decimalNaN = SQLParameter.text("NaN")

    let parameter: SQLParameter
    /// The parameter's position: `orderedAscending` if it is less than the number.
    let position: ComparisonResult

    /// Returns nil for NaN.
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

    /// The parameter if it equals the number; otherwise nil, and no column contains the number.
    var exact: SQLParameter? { position == .orderedSame ? parameter : nil }

    /// Returns the comparison with the parameter that is equivalent to the given comparison with the number.
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
        // From 2^53 on every double is an integer, so the decimal's integer part compares with doubles as the decimal
        // does.
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
