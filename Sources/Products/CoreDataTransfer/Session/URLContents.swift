import Foundation
import FoundationNetworking

extension TransferSession {
    /// The contents of a URL of the web, or of a file; a session whose policy is the public Internet refuses files.
    ///
    /// - Throws: ``TransferError``; for a file Foundation's error for it; `CancellationError`.
    public func contents(of url: URL, options: TransferOptions = TransferOptions()) async throws -> URLContents {
        guard !url.isFileURL else {
            return try URLContents(file: url, limit: options.maximumBodySize, configuration.addresses)
        }
        let (data, response) = try await data(for: URLRequest(url: url), options: options)
        return URLContents(url: response.url ?? url, data: data, response: response)
    }
}

/// What a URL has, as bytes, as text or as a property list.
public struct URLContents: Sendable {
    /// Where the contents are from, after redirects.
    public let url: URL
    /// The bytes, decoded.
    public let data: Data
    /// The response; nil for a file.
    public let response: HTTPURLResponse?

    init(url: URL, data: Data, response: HTTPURLResponse?) {
        (self.url, self.data, self.response) = (url, data, response)
    }

    /// A policy that keeps URLs of other people out of a network keeps them out of the files too.
    init(file: URL, limit: Int?, _ policy: AddressPolicy) throws {
        guard policy.allowsPrivate else {
            throw TransferError(.unsupportedScheme, file, "the session's policy allows the public Internet alone")
        }
        let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard values.isRegularFile == true else { throw TransferError(.invalidRequest, file, "this is not a file") }
        if let limit, let size = values.fileSize, size > limit { throw TransferError.tooLarge(limit, file) }
        self.init(url: file, data: try Data(contentsOf: file), response: nil)
    }

    /// The text, in the encoding of its byte order mark, else in the one that the response names, else in UTF-8, also where
    /// the named one is not known.
    ///
    /// - Throws: ``TransferError`` with `undecodableText` where the bytes are not valid in it: nothing is replaced.
    public func string() throws -> String {
        let (encoding, skipped) = Self.mark(of: data) ?? (declaredEncoding ?? .utf8, 0)
        guard let text = String(data: data.dropFirst(skipped), encoding: encoding) else {
            throw TransferError(.undecodableText, url, "the text is not valid in \(encoding)")
        }
        return text
    }

    /// The property list, in any of its formats.
    ///
    /// - Throws: ``TransferError`` with `invalidPropertyList`.
    public func propertyList() throws -> Any {
        do {
            return try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw TransferError(
                .invalidPropertyList, url, "the property list cannot be read: \(error.localizedDescription)")
        }
    }

    /// The encoding by the `charset` of the type of content; nil if there is none that is known.
    private var declaredEncoding: String.Encoding? {
        guard let type = response?.value(forHTTPHeaderField: "Content-Type") else { return nil }
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            return Self.encodings[parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")).lowercased()]
        }
        return nil
    }

    /// The encodings by the labels that the Encoding standard gives them; what is called Latin-1 or ASCII there is Windows-1252.
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .windowsCP1252, "ascii": .windowsCP1252,
        "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252, "windows-1252": .windowsCP1252,
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254, "utf-16": .utf16LittleEndian,
        "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian, "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC,
        "iso-2022-jp": .iso2022JP,
    ]

    private static func mark(of data: Data) -> (String.Encoding, Int)? {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if data.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if data.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        return nil
    }
}
