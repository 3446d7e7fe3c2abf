import CoreData
import CoreDataMail

/// `GET /stores/{store}/objects/{entity}/{key}/share`: how an object can be shared: its title and text, a link that begins a mail, and
/// the forms of files that there are of it.
struct SharePage: ViewPage {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/share")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let shared = try await call.sharedObject
        let link = MailtoLink(subject: shared.title, body: shared.text)
        return .json(
            .object([
                ("title", .string(shared.title)), ("text", .string(shared.text)),
                ("mail", .text(link.text.utf8.count <= MailtoLink.longest ? link.text : nil)),
                (
                    "forms",
                    .array(SharedForm.allCases.filter { $0.data(of: shared) != nil }.map { .string($0.rawValue) })
                ),
            ]))
    }
}

/// `GET /stores/{store}/objects/{entity}/{key}/share/{form}`: an object as a file: `json`, `card` for what looks like a person, `event`
/// for what looks like one.
struct ShareFilePage: ViewPage {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/share/{form}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard let form = SharedForm(rawValue: call.parameters["form"] ?? "") else { throw BrowserFailure.notFound }
        let shared = try await call.sharedObject
        guard let data = form.data(of: shared) else {
            throw BrowserFailure(404, code: "noForm", reason: "the object does not look like what the file is for")
        }
        return BrowserResponse(
            headers: [
                "Content-Type": form.type, "Content-Disposition": "attachment; filename=\"object.\(form.ending)\"",
            ],
            body: BrowserBody(Array(data)))
    }
}

/// The forms of files of an object.
private enum SharedForm: String, CaseIterable {
    case json, card, event

    var type: String {
        switch self {
        case .json: "application/json"
        case .card: "text/vcard; charset=utf-8"
        case .event: "text/calendar; charset=utf-8"
        }
    }

    var ending: String {
        switch self {
        case .json: "json"
        case .card: "vcf"
        case .event: "ics"
        }
    }

    /// Nil for an object that looks like no person, or no event.
    func data(of shared: SharedObject) -> Data? {
        switch self {
        case .json: shared.json
        case .card: shared.card.map { Data($0.text.utf8) }
        case .event: shared.event.map { Data($0.text.utf8) }
        }
    }
}

extension PageCall {
    /// The object that the path names, with all its attributes.
    ///
    /// - Throws: `BrowserFailure` 403 for a user who may not read all of the store.
    fileprivate var sharedObject: SharedObject {
        get async throws {
            let name = objectName
            try store.requireReadingAll(
                for: access, "a shared object has", hint: "copy the values that you see")
            return try await readObjects { SharedObject(try $0.object(name)) }
        }
    }
}
