import CoreData

/// A store that is listed although it could not be opened, such as one without a model.
package final class ClosedStore: Identifiable, Sendable {
    package let id: String
    package let name: String
    package let file: URL
    /// Why it could not be opened.
    package let failure: BrowserFailure

    init(id: String, file: URL, _ error: any Error) {
        self.id = id
        self.file = file
        name = file.storeName
        let cause = BrowserFailure(error)
        let place = "\(file.place): "
        // The page already names the store, so its path is removed from the reason.
        let reason = cause.reason.hasPrefix(place) ? String(cause.reason.dropFirst(place.count)) : cause.reason
        let isWithoutModel = cause.code == InspectionError.Code.noModel.rawValue
        failure = BrowserFailure(
            409, code: cause.code, reason: reason,
            hint: isWithoutModel
                ? "start the program with the model that it was made with: --model \(file.lastPathComponent)=PATH"
                : cause.hint,
            details: cause.details + [.init(key: "closed", value: .string(id))])
    }

    /// The same members as for an open store, with the reason why this one is not open.
    var summary: JSONValue {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("path", .string(file.place)), ("type", .null),
            ("uuid", .null),
            ("writing", .bool(false)), ("switchable", .bool(false)), ("closed", .bool(true)),
            ("problems", .array([.string(failure.description)])),
        ])
    }
}
