import CoreData

/// The mappings that are ready made: of RSS 2.0, RSS 1.0, Atom (RFC 4287) and JSON Feed 1.1, into an entity of any model.
///
/// Of what an entry has comes what the entity has an attribute for, under any of the usual names; what is no attribute of it is left
/// out.
package enum FeedFormat: String, CaseIterable, Sendable {
    case rss, rdf, atom, jsonfeed

    /// What an entry has.
    private enum Field: CaseIterable {
        case identifier, title, link, published, updated, summary, content, author, categories, picture, sound

        /// The names of attributes for it, of which the first counts that the entity has.
        var names: [String] {
            switch self {
            case .identifier: ["identifier", "guid", "id", "entryID", "uniqueID"]
            case .title: ["title", "name", "headline"]
            case .link: ["link", "url", "address", "website"]
            case .published: ["published", "pubDate", "date", "publishedAt", "datePublished", "created", "timestamp"]
            case .updated: ["updated", "modified", "updatedAt", "dateModified", "lastModified"]
            case .summary: ["summary", "abstract", "desc", "details", "excerpt"]
            case .content: ["content", "body", "text", "html"]
            case .author: ["author", "creator", "byline", "authorName"]
            case .categories: ["categories", "tags", "keywords", "category"]
            case .picture: ["image", "imageURL", "picture", "pictureURL", "thumbnail", "thumbnailURL"]
            case .sound: ["enclosure", "enclosureURL", "audioURL", "mediaURL"]
            }
        }
    }

    private var place: String {
        switch self {
        case .rss: "rss.channel.item"
        case .rdf: "rdf:RDF.rss:item"
        case .atom: "a:feed.a:entry"
        case .jsonfeed: "items"
        }
    }

    private func paths(_ field: Field) -> [String] {
        switch self {
        case .rss: Self.rss(field)
        case .rdf: Self.rdf(field)
        case .atom: Self.atom(field)
        case .jsonfeed: Self.json(field)
        }
    }

    private static func rss(_ field: Field) -> [String] {
        switch field {
        case .identifier: ["guid", "link"]
        case .title: ["title"]
        case .link: ["link", "a:link.@href", "guid[@isPermaLink=true]"]
        case .published: ["pubDate", "dc:date"]
        case .updated: ["a:updated", "dc:modified"]
        case .summary: ["description"]
        case .content: ["content:encoded", "description"]
        case .author: ["dc:creator", "author", "itunes:author"]
        case .categories: ["category"]
        case .picture: ["media:thumbnail.@url", "media:content[@medium=image].@url", "itunes:image.@href"]
        case .sound: ["enclosure.@url"]
        }
    }

    private static func rdf(_ field: Field) -> [String] {
        switch field {
        case .identifier: ["@rdf:about", "rss:link"]
        case .title: ["rss:title", "dc:title"]
        case .link: ["rss:link", "@rdf:about"]
        case .published: ["dc:date"]
        case .updated: ["dc:modified"]
        case .summary: ["rss:description", "dc:description"]
        case .content: ["content:encoded", "rss:description"]
        case .author: ["dc:creator"]
        case .categories: ["dc:subject"]
        case .picture: ["media:thumbnail.@url", "media:content[@medium=image].@url"]
        case .sound: []
        }
    }

    private static func atom(_ field: Field) -> [String] {
        switch field {
        case .identifier: ["a:id"]
        case .title: ["a:title"]
        case .link: ["a:link[@rel=alternate].@href", "a:link[!@rel].@href"]
        case .published: ["a:published", "a:updated"]
        case .updated: ["a:updated"]
        case .summary: ["a:summary"]
        case .content: ["a:content", "a:summary"]
        case .author: ["a:author.a:name"]
        case .categories: ["a:category.@term"]
        case .picture: ["media:thumbnail.@url", "media:group.media:thumbnail.@url"]
        case .sound: ["a:link[@rel=enclosure].@href"]
        }
    }

    private static func json(_ field: Field) -> [String] {
        switch field {
        case .identifier: ["id"]
        case .title: ["title"]
        case .link: ["url", "external_url"]
        case .published: ["date_published"]
        case .updated: ["date_modified"]
        case .summary: ["summary"]
        case .content: ["content_html", "content_text"]
        case .author: ["authors.name", "author.name"]
        case .categories: ["tags"]
        case .picture: ["image", "banner_image"]
        case .sound: ["attachments.url"]
        }
    }

    private static let namespaces = [
        "a": "http://www.w3.org/2005/Atom", "content": "http://purl.org/rss/1.0/modules/content/",
        "dc": "http://purl.org/dc/elements/1.1/", "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "media": "http://search.yahoo.com/mrss/", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rss": "http://purl.org/rss/1.0/",
    ]

    /// The mapping into an entity.
    ///
    /// An entry is found by the entity's uniqueness constraint, else by its identifier or link.
    /// - Throws: `InspectionError` if the entity has no attribute for anything of an entry.
    package func mapping(for entity: NSEntityDescription) throws -> ImportMapping {
        var found: [Field: ImportMapping.Property] = [:]
        var used: Set<String> = []
        for field in Field.allCases {
            guard let attribute = Self.attribute(field, of: entity), used.insert(attribute.name).inserted else {
                continue
            }
            var conversion = ValueConversion()
            conversion.date = DateForm([.internet, .iso], zone: .gmt)
            if [.categories, .author].contains(field) {
                conversion.separator = ", "
            } else {
                conversion.takesFirst = true
            }
            conversion.isAddress = [.link, .picture, .sound].contains(field)
            conversion.takesInnerTexts = [.title, .summary, .content].contains(field)
            found[field] = .init(
                name: attribute.name, source: .paths(paths(field).compactMap { DocumentPath($0) }),
                content: .value(conversion))
        }
        guard !found.isEmpty else {
            throw InspectionError(
                .badValue, subject: entity.name ?? "",
                cause: "the entity has no attribute for what entries of feeds have",
                hint: "such as title, link, published, summary, content, author")
        }
        // A constraint of which entries have no value finds none.
        let isConstrained = entity.allUniquenessConstraintNames.contains { names in
            !names.isEmpty && names.allSatisfy(used.contains)
        }
        let key = found[.identifier] ?? found[.link]
        var records = ImportMapping.Records(
            place: DocumentPath(place) ?? DocumentPath([]), entity: .named(entity.name ?? ""),
            properties: Field.allCases.compactMap { found[$0] })
        if !isConstrained, let key { records.match = .keys([key.name]) }
        return ImportMapping(
            format: self == .jsonfeed ? .json : .xml, namespaces: self == .jsonfeed ? [:] : Self.namespaces,
            records: [records])
    }

    /// The attribute for a field, of a type that fits; case and underscores of its name make no difference.
    private static func attribute(_ field: Field, of entity: NSEntityDescription) -> NSAttributeDescription? {
        let named = Dictionary(
            entity.attributesByName.values.map { (plain($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        let kinds: [AttributeKind] = [.published, .updated].contains(field) ? [.date, .string] : [.string, .uri]
        return field.names.lazy.compactMap { named[plain($0)] }.first { attribute in
            SettableProperty.isSettable(attribute) && kinds.contains(AttributeKind(attribute))
        }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    /// The kind of feed that a file is by its beginning; nil for what is none.
    package init?(_ file: ImportFile) throws {
        let start = try file.beginning()
        if start.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) != "<" {
            guard start.replacing("\\/", with: "/").contains("jsonfeed.org/version") else { return nil }
            self = .jsonfeed
            return
        }
        let root = ImportFile.rootElement(ofBeginning: start)?.split(separator: ":").last
        switch root {
        case "rss": self = .rss
        case "RDF": self = .rdf
        case "feed": self = .atom
        default: return nil
        }
    }
}
