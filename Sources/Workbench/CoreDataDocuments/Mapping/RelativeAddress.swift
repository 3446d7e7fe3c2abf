import CoreData

/// Makes addresses of documents absolute, as XML Base and RFC 3986, section 5, say.
enum RelativeAddress {
    /// What addresses are relative to in a document, in elements with bases from the outermost one; nil where nothing says it.
    static func base(of document: String, _ bases: [String]) -> URL? {
        var base = ImportFile.isOnWeb(document) ? URL(string: document) : nil
        for text in bases { base = URL(string: text, relativeTo: base)?.absoluteURL ?? base }
        return base?.scheme == nil ? nil : base
    }

    /// The absolute form of an address; the text itself where it is none, or is not relative to anything known.
    static func absolute(_ text: String, _ base: URL?) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, let base, let url = URL(string: text, relativeTo: base), url.baseURL != nil else {
            return text
        }
        return url.absoluteString
    }
}
