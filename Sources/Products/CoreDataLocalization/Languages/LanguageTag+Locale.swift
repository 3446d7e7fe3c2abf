import Foundation
import Synchronization

extension LanguageTag {
    /// The locale of the tag; the root locale for a language that has no name in ISO 639.
    public var locale: Locale {
        guard Locale.LanguageCode(language).isISOLanguage else { return Locale(identifier: "") }
        var parts = Locale.Components(identifier: [language, script, region].compactMap { $0 }.joined(separator: "-"))
        for (key, value) in unicodeKeywords {
            switch key {
            case "ca": parts.calendar = Self.calendars[value]
            case "nu" where Locale.numberingSystems.contains(value):
                parts.numberingSystem = Locale.NumberingSystem(value)
            default: continue
            }
        }
        return Locale(components: parts)
    }

    /// The key and the first word of its value of each keyword of the extension `u`.
    private var unicodeKeywords: [(key: String, value: String)] {
        let words = extensions.split(separator: "-")
        guard let start = words.firstIndex(of: "u") else { return [] }
        let own = words[(start + 1)...].prefix { $0.count > 1 }
        return zip(own, own.dropFirst()).filter { $0.count == 2 && $1.count > 2 }.map { (String($0), String($1)) }
    }

    /// Calendars by the names of BCP 47; others are not used, since Foundation formats their dates in another calendar.
    static let calendars: [String: Calendar.Identifier] = [
        "gregory": .gregorian, "gregorian": .gregorian, "buddhist": .buddhist, "chinese": .chinese, "coptic": .coptic,
        "ethiopic": .ethiopicAmeteMihret, "hebrew": .hebrew, "indian": .indian,
        "islamic": .islamic, "islamic-civil": .islamicCivil, "islamic-tbla": .islamicTabular,
        "islamic-umalqura": .islamicUmmAlQura, "iso8601": .iso8601, "japanese": .japanese, "persian": .persian,
        "roc": .republicOfChina,
    ]

    /// The greatest number of tags whose likely subtags are kept; when there are more all are dropped.
    private static let mostKept = 1_000

    /// Guards the likely subtags that were asked for: each costs several calls of ICU, and every text asks for some.
    private static let kept = Mutex<[String: (script: String, region: String)]>([:])

    /// Script and region that CLDR's likely subtags give a tag without them; empty where there are none.
    var likely: (script: String, region: String) {
        let name = description
        if let known = Self.kept.withLock({ $0[name] }) { return known }
        let found = maximal
        Self.kept.withLock { kept in
            if kept.count >= Self.mostKept { kept = [:] }
            kept[name] = found
        }
        return found
    }

    private var maximal: (script: String, region: String) {
        let short = [language, script, region].compactMap { $0 }.joined(separator: "-")
        let maximal = Locale.Language(identifier: Locale.Language(identifier: short).maximalIdentifier)
        let script = script ?? maximal.script?.identifier ?? ""
        // CLDR gives some languages of Pakistan Nastaliq, which is a style of the Arabic script.
        return (script == "Aran" ? "Arab" : script, region ?? maximal.region?.identifier ?? "")
    }
}
