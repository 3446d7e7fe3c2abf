import Foundation

/// Reads string catalogs (`.xcstrings`), which are JSON with all languages of a table.
///
/// Source of the format: catalogs that Xcode 15 and later write; Apple has published no description. Texts in the state `new` are not
/// translations, and count only in the source language. A key with `shouldTranslate` false has its source text in all languages.
enum CatalogReader {
    /// The tables of a catalog by language.
    ///
    /// - Throws: `StringTableError` with the key.
    static func tables(_ data: Data) throws -> (source: String, tables: [String: [String: TextEntry]]) {
        guard data.count <= TableLimits.bytes else {
            throw StringTableError(.tooLarge, "The catalog has more than \(TableLimits.bytes) bytes.")
        }
        let json: Any
        do { json = try JSONSerialization.jsonObject(with: data) } catch {
            throw StringTableError(.syntax, "The catalog is not valid JSON: \(reason(error))")
        }
        guard let root = json as? [String: Any], let source = root["sourceLanguage"] as? String,
            LanguageTag(source) != nil, let strings = root["strings"] as? [String: Any]
        else {
            throw StringTableError(.structure, "The catalog has no 'sourceLanguage' with a language, or no 'strings'.")
        }
        var tables: [String: [String: TextEntry]] = [source: [:]]
        for (key, value) in strings {
            guard let fields = value as? [String: Any] else {
                throw StringTableError(.structure, "\(StringTableError.shown(key)) is not an object.")
            }
            // A key without a text of its own language is that text.
            tables[source, default: [:]][key] = TextEntry(.text(key))
            let isFixed = fields["shouldTranslate"] as? Bool == false
            guard let localizations = fields["localizations"] else { continue }
            guard let languages = localizations as? [String: Any] else { throw damaged(key, "localizations") }
            for (language, value) in languages where !isFixed || language == source {
                guard LanguageTag(language) != nil, let fields = value as? [String: Any] else {
                    throw damaged(key, "localizations")
                }
                guard let entry = try entry(fields, key, acceptsNew: language == source) else { continue }
                tables[language, default: [:]][key] = entry
            }
        }
        return (source, tables)
    }

    private static func reason(_ error: any Error) -> String {
        (error as NSError).userInfo["NSDebugDescription"] as? String ?? "it cannot be parsed."
    }

    private static func damaged(_ key: String, _ field: String) -> StringTableError {
        StringTableError(
            .structure, "\(StringTableError.shown(key)) has something in '\(field)' that is not valid there.")
    }

    /// The text of one language; nil if it is not translated.
    private static func entry(_ fields: [String: Any], _ key: String, acceptsNew: Bool) throws -> TextEntry? {
        guard let variants = try variants(fields, key, acceptsNew: acceptsNew, depth: 0) else { return nil }
        var variables: [String: TextEntry.Variable] = [:]
        if let value = fields["substitutions"] {
            guard let substitutions = value as? [String: Any] else { throw damaged(key, "substitutions") }
            for (name, value) in substitutions {
                guard let fields = value as? [String: Any],
                    let forms = try self.variants(fields, key, acceptsNew: acceptsNew, depth: 0)
                else { throw damaged(key, "substitutions") }
                let position = (fields["argNum"] as? Int).flatMap { (1...FormatString.largest).contains($0) ? $0 : nil }
                variables[name] = TextEntry.Variable(
                    position: position, format: fields["formatSpecifier"] as? String ?? "", variants: forms)
            }
        }
        let entry = TextEntry(variants, variables: variables)
        if let circle = entry.circle {
            throw StringTableError(
                .circularVariables,
                "The substitutions of \(StringTableError.shown(key)) contain each other: "
                    + circle.map(StringTableError.shown).joined(separator: ", ") + ".")
        }
        return entry
    }

    private static func variants(
        _ fields: [String: Any], _ key: String, acceptsNew: Bool, depth: Int
    ) throws -> TextVariants? {
        guard depth < 8 else { throw damaged(key, "variations") }
        if let unit = fields["stringUnit"] {
            guard let unit = unit as? [String: Any], let text = unit["value"] as? String else {
                throw damaged(key, "stringUnit")
            }
            return unit["state"] as? String == "new" && !acceptsNew ? nil : .text(text)
        }
        guard let value = fields["variations"] else { return nil }
        guard let variations = value as? [String: Any] else { throw damaged(key, "variations") }
        if let devices = variations["device"] {
            let forms = try forms(devices, key, acceptsNew, depth)
            return forms.isEmpty ? nil : .device(forms)
        }
        guard let plurals = variations["plural"] else { return nil }
        var forms: [PluralCategory: TextVariants] = [:]
        for (name, form) in try self.forms(plurals, key, acceptsNew, depth) {
            guard let category = PluralCategory(rawValue: name) else { throw damaged(key, "plural") }
            forms[category] = form
        }
        return forms.isEmpty ? nil : .plural(forms)
    }

    private static func forms(
        _ value: Any, _ key: String, _ acceptsNew: Bool, _ depth: Int
    ) throws -> [String: TextVariants] {
        guard let forms = value as? [String: Any] else { throw damaged(key, "variations") }
        var found: [String: TextVariants] = [:]
        for (name, value) in forms {
            guard let fields = value as? [String: Any] else { throw damaged(key, "variations") }
            found[name] = try variants(fields, key, acceptsNew: acceptsNew, depth: depth + 1)
        }
        return found
    }
}
