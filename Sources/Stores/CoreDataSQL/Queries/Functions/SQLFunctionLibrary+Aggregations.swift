import CoreDataStore

extension SQLFunctionLibrary {
    /// Functions that compute one value from many numbers exactly as in memory, whatever the order of the rows.
    ///
    /// Each argument is NULL or a text of terms that are separated by spaces, as `coredata_term` writes them.
    static let aggregations: [Function] = aggregated.map { function in
        Function(name: name(of: function), argumentCount: nil, isDeterministic: true) { arguments in
            var values: [Any?] = []
            for case .text(let terms) in arguments {
                for term in terms.split(separator: " ") { values.append(value(ofTerm: term)) }
            }
            let list = NSExpression(.constant(values.compactMap { $0 }))
            return parameter(for: try NSExpression(.function(function, arguments: [list])).value(on: nil))
        }
    }

    static let aggregated: [ExpressionFunction] = [.sum, .average, .min, .max, .median, .standardDeviation]

    /// The function that writes a number as a text without loss: a letter for its kind, then its digits. The second
    /// argument says whether the number is a decimal.
    static let terms = Function(name: term, argumentCount: 2, isDeterministic: true) { arguments in
        switch (arguments[0], arguments[1]) {
        case (.null, _), (.blob, _): .null
        case (.text(let digits), _): .text("d" + digits)
        case (let number, .integer(1)): (decimal(of: number) as? Decimal).map { .text("d\($0)") } ?? plain(number)
        case (let number, _): plain(number)
        }
    }

    private static func plain(_ number: SQLParameter) -> SQLParameter {
        switch number {
        case .integer(let integer): .text("i\(integer)")
        case .real(let real): .text("r\(real.bitPattern)")
        default: .null
        }
    }

    private static func value(ofTerm term: Substring) -> Any? {
        let digits = term.dropFirst()
        switch term.first {
        case "i": return Int64(digits)
        case "r": return UInt64(digits).map { Double(bitPattern: $0) }
        default: return ExactNumber.decimal(of: String(digits))
        }
    }

    /// The function that writes a value of any type as a text without spaces: a letter for its kind, then the digits of
    /// the number, or those of the bytes of text or data. Several such texts, separated by spaces, are a list.
    static let items = Function(name: item, argumentCount: 1, isDeterministic: true) { arguments in
        switch arguments[0] {
        case .text(let text): .text("t" + SQLList.digits(text.utf8))
        case .blob(let data): .text("b" + SQLList.digits(data))
        case .null, .integer, .real: plain(arguments[0])
        }
    }

    private static func value(ofItem item: Substring, kind: Int64) -> Any? {
        let digits = item.dropFirst()
        switch item.first {
        case "i": return Int64(digits).flatMap { value(.integer($0), ofKind: kind) }
        case "r": return UInt64(digits).flatMap { value(.real(Double(bitPattern: $0)), ofKind: kind) }
        case "t":
            return SQLList.bytes(ofDigits: String(digits)).flatMap {
                value(.text(String(decoding: $0, as: UTF8.self)), ofKind: kind)
            }
        case "b": return SQLList.bytes(ofDigits: String(digits)).flatMap { value(.blob($0), ofKind: kind) }
        default: return nil
        }
    }

    /// The number that is added to the number of a kind for a list of its values.
    static let listKinds = 16

    /// The function that casts a value to another type; arguments: the value, the number of its kind, and the name of
    /// the type.
    static let casts = Function(name: cast, argumentCount: 3, isDeterministic: true) { arguments in
        guard case .integer(let kind) = arguments[1], case .text(let type) = arguments[2] else { return .null }
        let parts = [value(arguments[0], ofKind: kind), type].map { NSExpression(.constant($0)) }
        return parameter(for: try NSExpression(.function(.cast, arguments: parts)).value(on: nil))
    }

    /// The number by which `coredata_cast` identifies a kind.
    static func number(of kind: ValueKind) -> Int? {
        switch kind {
        case .number(let number): number.isDecimal ? 1 : 0
        case .text: 2
        case .date: 3
        case .data: 4
        case .uuid: 5
        case .url: 6
        case .opaque, .composite: nil
        }
    }

    /// Returns a value of the kind with this number, or a list of such values, as expressions in memory have it; nil if
    /// the parameter is not of the kind. Lists leave out nil.
    package static func value(_ parameter: SQLParameter, ofKind kind: Int64) -> Any? {
        switch (kind, parameter) {
        case (0, _): number(of: parameter)
        case (1, _): decimal(of: parameter)
        case (2, .text(let text)): text
        case (3, _):
            (number(of: parameter).flatMap { ExactNumber($0) }?.double).map {
                Date(timeIntervalSinceReferenceDate: $0)
            }
        case (4, .blob(let data)): data
        case (5, .blob(let data)) where data.count == 16:
            data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case (6, .text(let text)): URL(string: text)
        case (Int64(listKinds)..., .text(let list)):
            list.split(separator: " ").compactMap { value(ofItem: $0, kind: kind - Int64(listKinds)) }
        default: nil
        }
    }
}
