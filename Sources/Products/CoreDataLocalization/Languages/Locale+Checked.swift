import Foundation

extension Locale {
    /// The numbering systems whose numbers are written digit by digit. Source: CLDR, `numberingSystems`, those of type numeric.
    static let numberingSystems: Set<String> = Set(
        """
        adlm ahom arab arabext bali beng bhks brah cakm cham deva diak fullwide gong gonm gujr guru hanidec hmng hmnp java kali
        kawi khmr knda lana lanatham laoo latn lepc limb mathbold mathdbl mathmono mathsanb mathsans modi mong mroo mtei mymr
        mymrshan mymrtlng nagm newa nkoo olck orya osma rohg saur segment shrd sind sinh sora sund takr talu tamldec telu thai
        tibt tirh tnsa vaii wara wcho
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// The locale with a calendar, and without a numbering system that Foundation does not know: its `DateFormatter` ends the
    /// process for one, and a locale may come from the header field of a request.
    func checked(calendar: Calendar.Identifier?) -> Locale {
        var parts = Locale.Components(locale: self)
        if let calendar { parts.calendar = calendar }
        if let system = parts.numberingSystem, !Self.numberingSystems.contains(system.identifier) {
            parts.numberingSystem = nil
        }
        return Locale(components: parts)
    }
}
