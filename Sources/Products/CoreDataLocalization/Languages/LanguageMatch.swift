/// The choice among languages that there are for languages that are wanted.
///
/// It is the lookup of RFC 4647, 3.4, by what tags mean and not by their letters: `zh-TW` finds `zh-Hant` and never `zh`, which is
/// written in another script; `no` and `nb` find each other; `en-AU` finds `en-GB` before `en`. Letters may be of either case, since
/// SwiftPM writes folders as `zh-hans.lproj`.
public struct LanguageMatch: Sendable {
    private struct Candidate {
        let name: String
        let tag: LanguageTag
        let script: String
        let region: String
    }

    private let candidates: [Candidate]

    /// `available` are the names of the languages that there are; names that are not tags, such as `Base`, are never found.
    public init(among available: [String]) {
        candidates = available.compactMap { name in
            guard let tag = LanguageTag(name) else { return nil }
            let likely = tag.likely
            return Candidate(name: name, tag: tag, script: likely.script, region: likely.region)
        }
    }

    /// The best language for the first of the wanted ones that has any; nil if none has.
    public func best(for wanted: [LanguageTag]) -> String? {
        wanted.lazy.compactMap { names(for: $0).first }.first
    }

    /// The languages that may be shown to who wants a language, the best first.
    public func names(for wanted: LanguageTag) -> [String] {
        let script = wanted.likely.script
        let regions = Self.regions(for: wanted)
        let languages = Self.languages(for: wanted.language)
        let ranked = candidates.compactMap { candidate -> (rank: [Int], name: String)? in
            guard let language = languages.firstIndex(of: candidate.tag.language), candidate.script == script else {
                return nil
            }
            return ([language] + Self.rank(of: candidate, for: wanted, regions), candidate.name)
        }
        let sorted = ranked.sorted { one, other in
            one.rank == other.rank ? one.name < other.name : one.rank.lexicographicallyPrecedes(other.rank)
        }
        return sorted.map(\.name)
    }

    /// The order of a candidate by its region, then by variants that only one of both has.
    private static func rank(of candidate: Candidate, for wanted: LanguageTag, _ regions: [String]) -> [Int] {
        let variants = Set(candidate.tag.variants).symmetricDifference(wanted.variants).count
        if let named = candidate.tag.region, let place = regions.firstIndex(of: named) { return [place, variants] }
        if candidate.tag.region == nil { return [regions.count, variants] }
        return [candidate.region == wanted.likelyRegion ? regions.count + 1 : regions.count + 2, variants]
    }

    /// The languages that readers of a language read, itself first. Source: CLDR, `parentLocales` and `languageAlias`.
    private static func languages(for language: String) -> [String] {
        switch language {
        case "no", "nb": [language, language == "no" ? "nb" : "no"]
        case "nn": ["nn", "nb", "no"]
        default: [language]
        }
    }

    /// The regions whose form of the language is nearest, the wanted one first. Source: CLDR, `parentLocales`.
    private static func regions(for wanted: LanguageTag) -> [String] {
        guard let region = wanted.region else { return [] }
        switch wanted.language {
        case "en" where !["US", "AS", "GU", "MH", "MP", "PR", "UM", "VI"].contains(region):
            return [region, "001", "GB"]
        case "es" where !["ES", "EA", "IC", "GQ", "PH"].contains(region): return [region, "419", "MX"]
        case "pt" where region != "BR": return [region, "PT"]
        case "zh" where region == "MO": return [region, "HK"]
        default: return [region]
        }
    }
}

extension LanguageTag {
    /// The region that the language has without another: `DE` for `de-AT`.
    fileprivate var likelyRegion: String {
        LanguageTag([language, script].compactMap { $0 }.joined(separator: "-"))?.likely.region ?? ""
    }
}
