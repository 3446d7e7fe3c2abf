import CoreData
import CoreDataTransfer
import FoundationNetworking

/// A file to import: at a path, at standard input, or downloaded from a URL.
package struct ImportFile: Sendable {
    /// Where the bytes lie; `-` is standard input.
    package let path: String
    /// What the file is called: a path, or a URL without its password. Its last part indicates format and entity.
    package let name: String
    /// The format that the server of a URL says; nil if it says none, and for paths.
    let declaredFormat: ImportFormat?
    /// Where it was downloaded from, after redirects; nil for paths.
    let url: URL?
    /// The next page by the header field `Link` of the response.
    let nextPage: String?
    /// The folder with what was downloaded, which lives as long as the file.
    private let folder: ScratchFolder?

    /// A file at a path, or standard input for `-`.
    package init(_ path: String) {
        (self.path, name) = (path, path)
        (declaredFormat, folder, url, nextPage) = (nil, nil, nil, nil)
    }

    /// A file at a path, or what a URL beginning with `http://` or `https://` has, which is downloaded.
    ///
    /// - Parameter progress: called with the bytes received and, if the server says it, the number of all.
    /// - Throws: `InspectionError` of code `unreadable` with the URL.
    package init(
        fetching place: String, progress: @escaping @Sendable (_ received: Int, _ all: Int?) -> Void = { _, _ in }
    ) throws {
        guard let url = Self.webURL(place) else {
            self.init(place)
            return
        }
        let folder = try ScratchFolder()
        let file = folder.file("import")
        var options = TransferOptions()
        options.maximumBodySize = nil
        options.onProgress = { progress(Int($0.received), $0.bytesToReceive.map { Int($0) }) }
        do {
            self.init(path: file.path, url, try Self.download(url, to: file, options), folder)
        } catch let error as TransferError {
            let hint = error.url == url ? nil : error.url.map { "it leads to \($0.textWithoutPassword)" }
            throw InspectionError(
                .unreadable, subject: PrintableText.escaped(url.textWithoutPassword, limit: 200), cause: error.reason,
                hint: hint)
        }
    }

    private init(path: String, _ url: URL, _ response: HTTPURLResponse, _ folder: ScratchFolder) {
        (self.path, name, self.folder) = (path, url.textWithoutPassword, folder)
        (self.url, nextPage) = (
            response.url ?? url, ImportPages.next(inLink: response.value(forHTTPHeaderField: "Link"))
        )
        declaredFormat = response.value(forHTTPHeaderField: "Content-Type").flatMap { ImportFormat(contentType: $0) }
    }

    /// How often a server that asks to come again is asked again, and the most seconds waited for it.
    private static let (mostRetries, longestWait) = (3, 120.0)

    /// Downloads, again where the server says when to come again (RFC 9110, 10.2.3).
    private static func download(_ url: URL, to file: URL, _ options: TransferOptions) throws -> HTTPURLResponse {
        let transfers = BlockingTransfers(session: .shared, allowsMainThread: true)
        var retries = 0
        while true {
            do {
                return try transfers.download(for: URLRequest(url: url), to: file, options: options)
            } catch let error as TransferError where [.status(429), .status(503)].contains(error.code) {
                guard let field = error.response?.value(forHTTPHeaderField: "Retry-After"), retries < mostRetries,
                    let seconds = Double(field) ?? HTTPDate.date(field)?.timeIntervalSinceNow, seconds <= longestWait
                else { throw error }
                retries += 1
                try ReadCancellation.check()
                Thread.sleep(forTimeInterval: max(0, seconds))
            }
        }
    }

    /// Whether the text is a URL to download; everything else is a path.
    package static func isOnWeb(_ place: String) -> Bool { webURL(place) != nil }

    private static func webURL(_ place: String) -> URL? {
        let start = place.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://" ? URL(string: place) : nil
    }

    /// The name without what a URL has around its path.
    var nameOfPath: String { Self.webURL(name)?.path ?? name }

    /// The format: that of the name, else the one that the server says.
    ///
    /// - Throws: `InspectionError` if both say none.
    func format() throws -> ImportFormat {
        do {
            return try ImportFormat(nameOfPath, named: name)
        } catch {
            guard let declaredFormat else { throw error }
            return declaredFormat
        }
    }

    /// What reads the objects, block by block.
    func source(_ blocks: FileBlocks, as format: ImportFormat) throws -> any ImportSource {
        try format.source(blocks, path: nameOfPath)
    }

    /// Opens the file.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    func blocks() throws -> FileBlocks { try FileBlocks(path, named: name) }
}
