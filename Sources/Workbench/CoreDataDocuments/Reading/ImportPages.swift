import CoreData
import CoreDataTransfer
import FoundationNetworking

/// Where a document that comes in pages says its next one.
package enum NextPage: Sendable, Equatable {
    /// In the header field `Link` of its response (RFC 8288), with the relation `next`.
    case header
    /// In the document.
    case path(DocumentPath)
}

/// The pages of documents, each of which says where the next one is.
package struct ImportPages {
    /// More pages than these are refused: they would never end.
    static let greatestCount = 10_000

    private let next: NextPage
    private let format: ImportFormat?
    private let namespaces: [String: String]
    private let encoding: String?

    package init(_ next: NextPage, format: ImportFormat?, namespaces: [String: String], encoding: String? = nil) {
        (self.next, self.format, self.namespaces, self.encoding) = (next, format, namespaces, encoding)
    }

    /// The files, each followed by its further pages, which `fetch` gets; a page that came before ends a file's pages.
    ///
    /// - Throws: `InspectionError`, also for a page at another origin than the first.
    package func all(
        of files: [ImportFile], limit: Int = .max, fetch: (String) throws -> ImportFile
    ) throws -> [ImportFile] {
        try files.flatMap { file in
            var pages = [file]
            var seen: Set<URL> = []
            while let last = pages.last, let here = last.url, pages.count < limit,
                let url = try address(after: last, here),
                seen.insert(here).inserted, !seen.contains(url)
            {
                guard Self.origin(url) == Self.origin(here) else {
                    throw InspectionError(
                        .badValue, subject: last.name, cause: "its next page is of another server",
                        hint: PrintableText.escaped(url.textWithoutPassword, limit: 200))
                }
                guard pages.count < Self.greatestCount else {
                    throw InspectionError(
                        .badValue, subject: file.name, cause: "it has more than \(Self.greatestCount) pages")
                }
                pages.append(try fetch(url.absoluteString))
            }
            return pages
        }
    }

    private func address(after page: ImportFile, _ here: URL) throws -> URL? {
        let text: String?
        switch next {
        case .header: text = page.nextPage
        case .path(let path):
            let (place, rest) = path.placeAndRest
            let items = try (format ?? page.format()).items(
                page.blocks(), at: [place], namespaces: namespaces, encoding: encoding)
            var found: String?
            while found == nil, let item = try items.next() {
                found = try rest.values(in: item.value.get()).lazy.compactMap(\.text).first
            }
            text = found
        }
        guard let text, !text.isEmpty else { return nil }
        guard let url = URL(string: text, relativeTo: here)?.absoluteURL, ImportFile.isOnWeb(url.absoluteString) else {
            throw InspectionError(
                .badValue, subject: page.name, cause: "its next page is no URL of http or https",
                hint: PrintableText.escaped(text, limit: 200))
        }
        return url
    }

    private static func origin(_ url: URL) -> [String] {
        [url.scheme?.lowercased() ?? "", url.host?.lowercased() ?? "", url.port.map { "\($0)" } ?? ""]
    }

    /// The target of the relation `next` in a header field `Link`.
    static func next(inLink field: String?) -> String? {
        guard let field else { return nil }
        for link in field.matches(of: /<([^>]*)>((?:\s*;\s*[^,;=]+(?:=(?:"[^"]*"|[^,;]*))?)*)/) {
            let parameters = link.output.2.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            let relations = parameters.first { $0.hasPrefix("rel=") }?.dropFirst(4).trimmingCharacters(in: ["\""])
            if relations?.split(separator: " ").contains("next") == true { return String(link.output.1) }
        }
        return nil
    }
}
