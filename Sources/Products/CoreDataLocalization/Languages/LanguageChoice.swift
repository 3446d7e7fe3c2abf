import Foundation

/// The languages and the locale of a run or of a session.
///
/// `Locale.current` of open-source Foundation does not follow the environment on Linux, and `Bundle` no preferences. So the choice
/// is made here, and handed to what shows texts.
public struct LanguageChoice: Sendable {
    /// The languages in which texts are wanted, the most wanted first; never empty.
    public let languages: [LanguageTag]
    /// What numbers, dates and units are written by.
    public let locale: Locale

    /// The choice for a run of a program.
    ///
    /// - Parameters:
    ///   - option: what `--language` says: a tag, or several with commas between them. It takes precedence.
    ///   - region: a region for numbers, dates and units, such as `CH`; left out, that of the first language, else that of
    ///     `LC_ALL`, `LC_NUMERIC` or `LANG` if these name the same language.
    ///   - environment: variables of POSIX. `LC_ALL`, `LC_MESSAGES` and `LANG` give the language, the first that is set and not empty;
    ///     `LANGUAGE` of GNU a list of languages, unless the language is `C`.
    ///     Without any the language is English.
    /// - Throws: `LanguageError` for an option that is not a tag, or a region that is none.
    public init(
        option: String? = nil, region: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let surroundings = Self.posix(environment, ["LC_ALL", "LC_NUMERIC", "LANG"])
        guard let option else {
            try self.init(languages: Self.languages(in: environment), formats: surroundings, region: region)
            return
        }
        let languages = try Self.languages(of: option)
        // Who lives in Austria and asks for German has Austria's formats.
        let isSame = surroundings?.language == languages[0].language && languages[0].region == nil
        try self.init(languages: languages, formats: isSame ? surroundings : nil, region: region)
    }

    /// The choice for a page: what the user has set, else what the browser asks for, else English.
    public init(page setting: String? = nil, acceptLanguage: String, region: String? = nil) throws {
        let asked = AcceptLanguage(acceptLanguage).languages
        let languages = try setting.map(Self.languages) ?? (asked.isEmpty ? [.english] : asked)
        try self.init(languages: languages, formats: nil, region: region)
    }

    private init(languages: [LanguageTag], formats: LanguageTag?, region: String?) throws {
        self.languages = languages
        let tag = formats ?? languages[0]
        if let region {
            guard let other = tag.with(region: region) else { throw LanguageError.notARegion(region) }
            locale = other.locale
        } else {
            locale = tag.locale
        }
    }

    private static func languages(of option: String) throws -> [LanguageTag] {
        let tags = try option.split(separator: ",").map { part in
            let name = part.trimmingCharacters(in: .whitespaces)
            guard let tag = LanguageTag(name) else { throw LanguageError.notALanguage(name) }
            return tag
        }
        guard !tags.isEmpty else { throw LanguageError.notALanguage(option) }
        return tags
    }

    private static func languages(in environment: [String: String]) -> [LanguageTag] {
        guard let tag = posix(environment, ["LC_ALL", "LC_MESSAGES", "LANG"]) else { return [.english] }
        let list = (environment["LANGUAGE"] ?? "").split(separator: ":").prefix(50).compactMap {
            LanguageTag(posix: String($0))
        }
        return list.isEmpty ? [tag] : list
    }

    /// The locale that the first variable which is set and not empty names; nil for `C`.
    private static func posix(_ environment: [String: String], _ names: [String]) -> LanguageTag? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }.flatMap(LanguageTag.init(posix:))
    }
}

/// A language or region that cannot be used.
public enum LanguageError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// A text that is not a tag of BCP 47.
    case notALanguage(String)
    /// A text that is not the code of a region.
    case notARegion(String)

    /// What is wrong, and what to give in its place.
    public var description: String {
        switch self {
        case .notALanguage(let text):
            "'\(shown(text))' is not a language. Give a tag of BCP 47, such as de, pt-BR or zh-Hant."
        case .notARegion(let text):
            "'\(shown(text))' is not a region. Give two letters or three digits, such as AT or 419."
        }
    }
    /// The same as `description`.
    public var errorDescription: String? { description }

    private func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "?" : Character($0) })
    }
}
