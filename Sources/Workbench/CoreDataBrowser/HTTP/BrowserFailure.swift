import CoreData
import CoreDataModelEditing

/// Why a request cannot be answered: an HTTP status, the reason, and a hint what to do.
package struct BrowserFailure: Error, Sendable {
    package let status: Int
    /// A word for programs: `badRequest`, `unknownEntity`.
    package let code: String
    package let reason: String
    package let hint: String?
    /// Further members of the answer's `error` object.
    package let details: [JSONValue.Member]

    package init(
        _ status: Int, code: String, reason: String, hint: String? = nil, details: [JSONValue.Member] = []
    ) {
        self.status = status
        self.code = code
        self.reason = reason
        self.hint = hint
        self.details = details
    }

    static func tooLarge(_ limit: Int) -> BrowserFailure {
        BrowserFailure(413, code: "tooLarge", reason: "the body has more than \(limit) bytes")
    }

    static func badRequest(_ reason: String, hint: String? = nil) -> BrowserFailure {
        BrowserFailure(400, code: "badRequest", reason: reason, hint: hint)
    }

    static var notFound: BrowserFailure { BrowserFailure(404, code: "notFound", reason: "there is no such page") }

    /// Converts an error of any type.
    package init(_ error: any Error) {
        switch error {
        case let failure as BrowserFailure: self = failure
        case let error as InspectionError:
            self.init(
                Self.status(of: error.code), code: error.code.rawValue, reason: "\(error.subject): \(error.cause)",
                hint: error.hint,
                details: error.excerpt.map { [JSONValue.Member(key: "excerpt", value: .string($0))] } ?? [])
        case let error as SQLConsoleError:
            self.init(
                error.code == .refusedSQL ? 403 : 422, code: error.code.rawValue, reason: error.reason,
                hint: error.hint,
                details: [
                    .init(key: "position", value: .count(error.position)),
                    .init(key: "excerpt", value: .text(error.excerpt)),
                ])
        case let error as ModelEditError:
            self.init(
                Self.status(of: error.code), code: error.code.rawValue, reason: "\(error.subject): \(error.cause)",
                hint: error.hint)
        // The client has disconnected and does not read this answer.
        case is CancellationError: self.init(499, code: "cancelled", reason: "the request was given up")
        default:
            let cause = StoreTrouble(error)
            self.init(
                cause?.status ?? 500, code: cause?.code ?? "failed",
                reason: cause?.reason ?? ErrorText.line(for: error),
                hint: cause?.hint,
                details: [.init(key: "errors", value: .array(ErrorDetail.all(of: error).map(\.json)))])
        }
    }

    private static func status(of code: InspectionError.Code) -> Int {
        switch code {
        case .noObject, .unknownEntity, .noModel, .noHistory: 404
        case .unknownKey, .badPredicate, .badSQL, .badValue: 422
        case .readOnly: 403
        case .modelMismatch, .brokenRules: 409
        case .unreadable: 503
        }
    }

    private static func status(of code: ModelEditError.Code) -> Int {
        switch code {
        case .unknownItem: 404
        case .changedMeanwhile, .nameTaken, .inUse: 409
        case .malformedEdit: 400
        case .notApplicable, .invalidValue, .unreadableModel: 422
        case .unsupportedFile: 503
        }
    }

    /// `{"error": {"code", "reason", "hint", …}}`
    package var response: BrowserResponse { .json(.object([("error", json)]), status: status) }

    /// `{"code", "reason", "hint", …}`
    var json: JSONValue {
        let own: [JSONValue.Member] = [
            .init(key: "code", value: .string(code)),
            .init(key: "reason", value: .string(PrintableText.escaped(reason))),
            .init(key: "hint", value: .text(hint)),
        ]
        return .members(own + details)
    }
}

extension BrowserFailure: CustomStringConvertible {
    /// The reason and the hint, as the command line prints them.
    package var description: String { reason + (hint.map { " (\($0))" } ?? "") }
}
