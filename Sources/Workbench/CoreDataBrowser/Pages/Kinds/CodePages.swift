import CoreData
import CoreDataCodes
import Synchronization

/// `POST /codes/writing`: the code of a text, as a path in units of a module.
///
/// `{"text", "type"}` gives `{"width", "height", "path"}`; the type is one of Apple's identifiers, `org.iso.QRCode` by default.
struct CodeWritingPage: Page {
    let route = Route("POST /codes/writing")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let parts = JSONParts(try await call.json())
        let text = try parts.text("text")
        let type = try parts.optionalText("type").map(AVMetadataObject.ObjectType.init) ?? .qr
        let drawing = try await CodeWork.one { try await CodeWriter(type: type).matrix(of: text).drawing }
        return .json(
            .object([
                ("width", .count(drawing.width)), ("height", .count(drawing.height)), ("path", .string(drawing.path)),
            ]))
    }
}

/// `POST /codes/reading`: the codes in a picture, which is the body, with its media type.
///
/// Gives `{"codes": [{"text", "type", "summary"}]}`; `?types=` names those that are looked for, divided by commas.
struct CodeReadingPage: Page {
    let route = Route("POST /codes/reading")
    /// The most bytes of a picture: a photograph of a telephone, and frames of a camera by far.
    private static let limit = 32 << 20

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        // A form of another site can send a body only with one of the content types of forms, so another type is required.
        guard call.request.headers["Content-Type"]?.lowercased().hasPrefix("image/") == true else {
            throw BrowserFailure(415, code: "noPicture", reason: "the body is not of a type of pictures")
        }
        let wanted = call.query["types"]?.split(separator: ",").map {
            AVMetadataObject.ObjectType(rawValue: String($0))
        }
        let bytes = try await call.request.body.bytes(limit: Self.limit)
        let reader = CodeReader(metadataObjectTypes: wanted ?? AVMetadataObject.ObjectType.all)
        let codes = try await CodeWork.one { try await reader.codes(in: Data(bytes)) }
        return .json(
            .object([
                (
                    "codes",
                    .array(
                        codes.map { code in
                            .object([
                                ("text", .text(code.stringValue)), ("type", .string(code.type.rawValue)),
                                ("summary", .string(code.summary)),
                            ])
                        })
                )
            ]))
    }
}

/// Bounds how many codes are read and made at once: each is a process.
private enum CodeWork {
    private static let limit = 4
    private static let running = Mutex(0)

    static func one<Result>(_ work: () async throws -> Result) async throws -> Result {
        let isFree = running.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw BrowserFailure(503, code: "busy", reason: "too many codes are read at once", hint: "try again")
        }
        defer { running.withLock { $0 -= 1 } }
        do {
            return try await work()
        } catch let error as CodeError {
            let status = error.code == .missingTool ? 501 : error.code == .toolFailed ? 500 : 422
            throw BrowserFailure(status, code: "code", reason: error.reason, hint: error.hint)
        }
    }
}
