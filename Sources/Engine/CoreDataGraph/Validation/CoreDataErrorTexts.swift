import CoreDataStore
import Synchronization

/// Custom texts for validation errors, by the error's code as a string such as `"1570"`.
///
/// A text replaces both the description and the failure reason; `{key}`, `{entity}`, `{rule}` and `{value}` in it are
/// replaced. The initial texts are those of `CoreDataErrors.plist` in the main bundle, if there is one. May be used
/// from any thread.
public enum CoreDataErrorTexts {
    /// The greatest size in bytes of a file of texts.
    private static let largestFile = 1 << 20

    /// The texts by code; setting them replaces those of the main bundle.
    public static var texts: [String: String] {
        get {
            known.withLock { known in
                if let known { return known }
                let found = bundled
                known = found
                return found
            }
        }
        set { known.withLock { $0 = newValue } }
    }

    /// Replaces the texts by those in a property list: a dictionary of strings by code.
    ///
    /// - Throws: an error of code 3840 for a file that is not such a property list, or is larger than 1 MiB;
    ///   `CocoaError` for a file that cannot be read. The texts are then unchanged.
    public static func load(contentsOf url: URL) throws {
        texts = try read(url)
    }

    /// Translates the library's English sentences of validation errors: description, reason and suggestion; nil, as at
    /// first, leaves them in English. It returns nil for a sentence that it does not know.
    ///
    /// `OwnTexts.validationSentences(for:)` of CoreDataLocalization has them in several languages. Texts of the program's
    /// own and of the model's author are not translated. Names are those of the model's `localizationDictionary`.
    public static var translation: (@Sendable (String) -> String?)? {
        get { translating.withLock(\.self) }
        set { translating.withLock { $0 = newValue } }
    }

    private static let translating = Mutex<(@Sendable (String) -> String?)?>(nil)

    /// Makes a validation error whose texts are translated.
    static func error(
        _ code: Int, _ description: String, reason: String, hint: String, userInfo: [String: Any]
    ) -> NSError {
        let translation = translation
        let own = { (text: String) in translation?(text) ?? text }
        return CoreDataError.make(code, own(description), reason: own(reason), hint: own(hint), userInfo: userInfo)
    }

    /// Guards the texts; nil until their first use.
    private static let known = Mutex<[String: String]?>(nil)

    private static var bundled: [String: String] {
        guard let url = Bundle.main.url(forResource: "CoreDataErrors", withExtension: "plist") else { return [:] }
        do {
            return try read(url)
        } catch {
            CoreDataLogging.report(.error, "'\(url.path)' is no list of error texts.")
            return [:]
        }
    }

    private static func read(_ url: URL) throws -> [String: String] {
        let data = try Data(contentsOf: url)
        guard data.count <= largestFile, let list = try list(data).dictionary else {
            throw CocoaError(.propertyListReadCorrupt)
        }
        return try list.mapValues { value in
            guard let text = value.string else { throw CocoaError(.propertyListReadCorrupt) }
            return text
        }
    }

    private static func list(_ data: Data) throws -> PropertyList {
        if data.starts(with: Data("bplist".utf8)) { return try PropertyList(binary: data) }
        do { return try XMLPropertyList.list(data) } catch { throw CocoaError(.propertyListReadCorrupt) }
    }

    /// Returns the program's text for an error, with its names and values inserted; nil if there is none.
    static func text(
        _ code: Int, key: String = "", entity: String = "", rule: String = "", value: String = ""
    ) -> String? {
        guard let text = texts["\(code)"] else { return nil }
        return Self.filled(text, ["key": key, "entity": entity, "rule": rule, "value": value])
    }

    /// Replaces names in braces in one pass, so that braces in an inserted value are not replaced.
    private static func filled(_ text: String, _ parts: [String: String]) -> String {
        var (result, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else {
                rest = rest[open...]
                break
            }
            result += parts[String(rest[rest.index(after: open)..<close])] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
