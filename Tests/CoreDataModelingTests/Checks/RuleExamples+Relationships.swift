extension RuleExample {
    /// Two entities with a relationship each; `power` leads from Hero to Power, `hero` back.
    static func pair(_ power: String, _ hero: String, _ more: String = "") -> String {
        """
        <entity name="Hero">
        <relationship name="power" destinationEntity="Power" inverseName="hero" inverseEntity="Power" \(power)/>
        </entity>
        <entity name="Power">
        <relationship name="hero" destinationEntity="Hero" inverseName="power" inverseEntity="Hero" \(hero)/>
        </entity>\(more)
        """
    }

    private static func alone(_ more: String) -> String {
        "<entity name=\"Hero\">\n<relationship name=\"power\" optional=\"YES\" maxCount=\"1\" \(more)/>\n</entity>"
    }

    private static let optional = #"optional="YES" maxCount="1""#
    private static let many = #"optional="YES" toMany="YES""#
    private static let good = pair(optional, many)

    static let relationships = [
        RuleExample("malformed-value", line: 4, "Hero.power", broken: alone(""), kept: good),
        RuleExample(
            "unknown-destination", line: 4, "Hero.power", broken: alone("destinationEntity=\"Power\""), kept: good),
        RuleExample(
            "minimum-count-above-maximum", line: 4, "Hero.power",
            broken: pair(#"optional="YES" toMany="YES" minCount="3" maxCount="2""#, optional),
            kept: pair(#"optional="YES" toMany="YES" minCount="2" maxCount="2""#, optional)),
        RuleExample(
            "negative-count", line: 4, "Hero.power", broken: pair(many + #" minCount="-1""#, optional), kept: good),
        RuleExample(
            "to-many-of-one", line: 4, "Hero.power", broken: pair(many + #" maxCount="1""#, optional),
            kept: pair(many + #" maxCount="2""#, optional)),
        RuleExample(
            "to-one-of-many", line: 4, "Hero.power", broken: pair(#"optional="YES" maxCount="2""#, optional), kept: good
        ),
        RuleExample(
            "ordered-to-one", line: 4, "Hero.power", broken: pair(optional + #" ordered="YES""#, many),
            kept: pair(many + #" ordered="YES""#, optional)),
        RuleExample(
            "ordered-many-to-many", line: 4, "Hero.power", broken: pair(many + #" ordered="YES""#, many),
            kept: pair(many + #" ordered="YES""#, optional)),
    ]

    static let inverses = [
        RuleExample(
            "missing-inverse", line: 4, "Hero.power", broken: alone("destinationEntity=\"Hero\""), kept: good),
        RuleExample(
            "unknown-inverse", line: 4, "Hero.power", broken: alone("destinationEntity=\"Hero\" inverseName=\"powr\""),
            kept: good),
        RuleExample(
            "inverse-leads-elsewhere", line: 4, "Hero.power",
            broken: good.replacing("destinationEntity=\"Hero\"", with: "destinationEntity=\"Other\"")
                + "<entity name=\"Other\"/>", kept: good),
        RuleExample(
            "inverse-not-mutual", line: 5, "Hero.second",
            broken: good.replacing(
                "\n</entity>\n<entity name=\"Power\">",
                with:
                    "\n<relationship name=\"second\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Power\" inverseName=\"hero\"/></entity>\n<entity name=\"Power\">"
            ),
            kept: good),
        RuleExample(
            "inverse-entity", line: 4, "Hero.power",
            broken: good.replacing("inverseEntity=\"Power\"", with: "inverseEntity=\"Hero\""), kept: good),
        RuleExample(
            "required-both-ways", line: 7, "Power.hero", broken: pair(#"maxCount="1""#, #"maxCount="1""#), kept: good),
    ]

    static let deletion = [
        RuleExample(
            "no-action-delete-rule", line: 4, "Hero.power",
            broken: pair(optional + #" deletionRule="No Action""#, many), kept: good),
        RuleExample(
            "deny-without-inverse", line: 4, "Hero.power",
            broken: alone("destinationEntity=\"Hero\" deletionRule=\"Deny\""),
            kept: pair(optional + #" deletionRule="Deny""#, many)),
        RuleExample(
            "cascade-both-ways", line: 7, "Power.hero",
            broken: pair(optional + #" deletionRule="Cascade""#, many + #" deletionRule="Cascade""#),
            kept: pair(optional, many + #" deletionRule="Cascade""#)),
        RuleExample(
            "cascade-many-to-many", line: 4, "Hero.power", broken: pair(many + #" deletionRule="Cascade""#, many),
            kept: pair(many + #" deletionRule="Cascade""#, optional)),
        RuleExample(
            "nullify-required-inverse", line: 7, "Power.hero", broken: pair(#"maxCount="1""#, many),
            kept: pair(#"maxCount="1""#, many + #" deletionRule="Cascade""#)),
    ]
}
