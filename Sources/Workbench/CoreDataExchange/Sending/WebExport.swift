import CoreData
import CoreDataTransfer
import FoundationNetworking

/// Sends objects of a store to a URL, as documents in the bodies of requests.
///
/// All documents are written to temporary files before the first is sent, so that the store is read as it is at one moment, and a
/// request can be repeated where a server is busy, or redirects it so that it stays the same request (RFC 9110, 15.4.8 and 15.4.9).
package struct WebExport {
    /// How the objects are written.
    package enum Content {
        /// As `export` writes them, or as tables.
        case objects(StoreExport, ImportFormat)
        /// As a document that a mapping reads.
        case mapped(MappedExport)
    }

    /// What was sent.
    package struct Report: Sendable {
        package let objects: Int
        package let requests: Int
    }

    private let url: URL
    private let method: String
    private var access: WebAccess
    private let portion: Int

    /// - Parameters:
    ///   - portion: the most objects of one request; nil to send all in one.
    /// - Throws: `InspectionError` for a place that is no URL of the web.
    package init(to place: String, method: String, portion: Int?, by access: WebAccess) throws {
        guard let url = ImportFile.webURL(place) else {
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(place, limit: 200), cause: "it is no URL of http or https")
        }
        (self.url, self.method, self.portion) = (url, method, portion ?? .max)
        // A redirect that is followed may become a request without a body.
        self.access = access
        self.access.session = try access.session.withoutRedirects()
    }

    /// Writes and sends the objects.
    ///
    /// - Parameters:
    ///   - failures: receives each value that cannot be read.
    ///   - progress: receives the number of objects that the server has accepted.
    /// - Throws: `InspectionError` that says which objects the server has accepted, `CancellationError`.
    package func run(
        _ content: Content, failures: @escaping (String, String) -> Void,
        progress: (_ accepted: Int, _ all: Int) -> Void
    ) throws -> Report {
        let files = try documents(of: content, failures: failures)
        let all = files.parts.last?.records.upperBound ?? 0
        var accepted = 0
        for part in files.parts {
            do {
                try send(part.file, as: content.form)
            } catch {
                throw described(error, part, accepted: accepted, of: files.parts)
            }
            accepted = part.records.upperBound
            progress(accepted, all)
        }
        return Report(objects: accepted, requests: files.parts.count)
    }

    private func documents(
        of content: Content, failures: @escaping (String, String) -> Void
    ) throws -> RecordFiles {
        let files = try RecordFiles(content.form, each: portion)
        switch content {
        case .objects(let export, .csv):
            _ = try export.writeTables(isOneTable: true, failures: failures, begin: { _ in }, to: files.take)
        case .objects(let export, _): _ = try export.write(as: .jsonLines, failures: failures, to: files.take)
        case .mapped(let export): try export.write(failures: failures, to: files.take)
        }
        try files.finish()
        return files
    }

    private static let mostRedirects = 10

    /// Sends a file, also to the place of the same server that it redirects to.
    private func send(_ file: URL, as form: RecordFiles.Form) throws {
        var place = url
        for _ in 0...Self.mostRedirects {
            do {
                return try upload(file, as: form, to: place)
            } catch let error as TransferError where error.code == .status(303) {
                // It was accepted, and the answer is elsewhere.
                return
            } catch let error as TransferError where [.status(307), .status(308)].contains(error.code) {
                guard let next = Self.target(of: error, from: place) else { throw error }
                place = next
            }
        }
        throw InspectionError(
            .unreadable, subject: PrintableText.escaped(url.textWithoutPassword, limit: 200),
            cause: "the server redirects more than \(Self.mostRedirects) times")
    }

    /// The place of the same server that a response leads to.
    private static func target(of error: TransferError, from place: URL) -> URL? {
        guard let field = error.response?.value(forHTTPHeaderField: "Location"),
            let target = URL(string: field, relativeTo: place)?.absoluteURL,
            target.scheme == place.scheme, target.host == place.host, target.port == place.port
        else { return nil }
        return target
    }

    private func upload(_ file: URL, as form: RecordFiles.Form, to place: URL) throws {
        var request = URLRequest(url: place)
        request.httpMethod = method
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        for (name, value) in access.fields { request.setValue(value, forHTTPHeaderField: name) }
        _ = try ReadCancellation.waiting { [access, request] in
            try await access.retrying {
                try await access.session.upload(for: request, fromFile: file, options: TransferOptions())
            }
        }
    }

    /// The error with the beginning of the server's answer, and with what it has accepted before.
    private func described(
        _ error: any Error, _ part: RecordFiles.Part, accepted: Int, of parts: [RecordFiles.Part]
    ) -> any Error {
        guard var described = WebAccess.error(error, url) as? InspectionError else { return error }
        let answer = (error as? TransferError).map { String(decoding: $0.body.prefix(200), as: UTF8.self) } ?? ""
        if let target = (error as? TransferError)?.response?.value(forHTTPHeaderField: "Location") {
            described.hint = "it leads to \(PrintableText.escaped(target, limit: 200))"
        }
        if !answer.isEmpty { described.cause += ", and says: \(PrintableText.escaped(answer, limit: 200))" }
        guard parts.count > 1 else { return described }
        let before = accepted == 0 ? "none before were sent" : "the objects 1 to \(accepted) were accepted"
        described.cause +=
            "; it was sent the objects \(part.records.lowerBound) to \(part.records.upperBound), \(before)"
        return described
    }
}

extension WebExport.Content {
    /// How its records lie in a document.
    fileprivate var form: RecordFiles.Form {
        switch self {
        case .objects(_, .csv): .table
        case .objects(_, .json): .array(head: "[\n", tail: "\n]\n")
        case .objects: .lines
        case .mapped(let export): export.form
        }
    }
}
