/// The closed list of types that `CAST` makes of a literal, by Apple's class names.
enum CastType: String, CaseIterable {
    /// Seconds since the first of January 2001, as Apple prints dates.
    case date = "NSDate"
    case decimal = "NSDecimalNumber"
    case number = "NSNumber"
    case string = "NSString"
    case uuid = "NSUUID"
    case url = "NSURL"
    /// Base 64.
    case data = "NSData"

    /// The value that the literal stands for; nil if it does not fit.
    func value(from literal: Any?) -> Any? {
        let text = literal as? String
        switch self {
        case .date:
            let seconds = ExactNumber(literal)?.double ?? text.flatMap { Double($0) }
            return seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        case .decimal: return text.flatMap { ExactNumber.decimal(of: $0) } ?? ExactNumber(literal)?.decimal
        case .number: return text.flatMap { Double($0) } ?? ExactNumber(literal)?.value
        case .string: return text ?? ExactNumber(literal)?.text
        case .uuid: return text.flatMap { UUID(uuidString: $0) }
        case .url: return text.flatMap { URL(string: $0) }
        case .data: return text.flatMap { Data(base64Encoded: $0) }
        }
    }

    /// The value in this type, a value that has it already included; nil if it does not fit.
    func value(converting value: Any) -> Any? {
        switch (self, value) {
        case (.date, is Date), (.uuid, is UUID), (.url, is URL), (.data, is Data): value
        case (.number, let date as Date): date.timeIntervalSinceReferenceDate
        case (.string, let uuid as UUID): uuid.uuidString
        case (.string, let url as URL): url.absoluteString
        default: self.value(from: value)
        }
    }
}
