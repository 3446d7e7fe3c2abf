import CoreDataStore

extension SQLParameter {
    /// Creates a parameter from a value in the form in which a row stores it.
    package init(_ cell: DerivedCell) {
        switch cell.tag {
        case RowTag.integer: self = .integer(Int64(bitPattern: cell.bits))
        case RowTag.real: self = .real(Double(bitPattern: cell.bits))
        case RowTag.text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
        case RowTag.blob: self = .blob(Data(cell.bytes))
        default: self = .null
        }
    }

    /// Returns the value in the form that a column of `type` stores, in a database that keeps 15 digits of decimals.
    package func kept(in type: ColumnType?) -> SQLParameter {
        guard type == .decimal, case .text(let text) = self else { return self }
        switch KeptDecimal(text: text) {
        case .integer(let integer)?: return .integer(integer)
        case .real(let real)?: return .real(real)
        case nil: return self
        }
    }
}

extension ValueKind {
    /// Returns the value that an accessor of the source attribute would have returned for a computed value.
    func value(of computed: SQLParameter) -> Any? {
        switch (self, computed) {
        case (_, .null), (.opaque, _), (.composite, _): nil
        case (.number(.decimal), _), (.number(.exact), _): Self.decimal(computed)
        case (.date, .real(let seconds)): Date(timeIntervalSinceReferenceDate: seconds)
        case (.date, .integer(let seconds)): Date(timeIntervalSinceReferenceDate: Double(seconds))
        case (.uuid, .blob(let data)):
            data.count == 16 ? data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } : nil
        case (.url, .text(let text)): URL(string: text)
        case (.number(.real), .integer(let integer)): Double(integer)
        case (.number, .integer(let integer)): NSNumber(value: integer)
        case (.number, .real(let real)): real
        case (.text, .text(let text)): text
        case (.data, .blob(let data)): data
        default: nil
        }
    }

    /// Rounds a sum to the digits of a stored decimal, since the digits beyond them are rounding errors.
    private static func decimal(_ computed: SQLParameter) -> Any? {
        switch computed {
        case .integer(let integer): Decimal(integer)
        case .real(let real): ExactNumber.decimal(of: KeptDecimal.text(of: real))
        case .text(let text): ExactNumber.decimal(of: text)
        case .null, .blob: nil
        }
    }
}
