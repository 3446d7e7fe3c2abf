/// The types to which `CAST` converts a value, by Apple's class names; other names are refused.
enum CastType: String, CaseIterable {
    /// From seconds since the first of January 2001, as Apple prints dates.
    case date = "NSDate"
    case decimal = "NSDecimalNumber"
    case number = "NSNumber"
    case string = "NSString"
    case uuid = "NSUUID"
    case url = "NSURL"
    /// From Base64.
    case data = "NSData"

    /// Converts a literal, a number or text, to this type; nil if it cannot be converted.
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

    /// Converts a value, which may already be of this type; nil if it cannot be converted.
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
