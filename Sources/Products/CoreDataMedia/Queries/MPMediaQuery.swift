import CoreData
import Foundation

/// A query for items of a library, and for collections of them.
///
/// Conditions are joined by and. A query is used on one thread at a time; its asynchronous functions run on another one and block none.
public final class MPMediaQuery {
    /// The conditions, which are joined by and.
    public private(set) var filterPredicates: [MPMediaPredicate]
    /// By what items are collected, and in which order they come.
    public var groupingType: MPMediaGrouping = .title
    private let chosen: MPMediaLibrary?

    /// A query.
    ///
    /// - Parameters:
    ///   - filterPredicates: The conditions; none for all items.
    ///   - library: The library; nil for the default one.
    public init(filterPredicates: [MPMediaPredicate] = [], library: MPMediaLibrary? = nil) {
        (self.filterPredicates, chosen) = (filterPredicates, library)
    }

    private convenience init(
        _ types: MPMediaType?, _ grouping: MPMediaGrouping, _ library: MPMediaLibrary?, _ more: MPMediaPredicate? = nil
    ) {
        let type = types.map { MPMediaPropertyPredicate(value: $0, forProperty: MPMediaItemPropertyMediaType) }
        self.init(filterPredicates: [type, more].compactMap { $0 }, library: library)
        groupingType = grouping
    }

    /// Songs, each alone.
    public static func songs(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(.music, .title, library)
    }
    /// Songs by albums.
    public static func albums(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(.music, .album, library)
    }
    /// Songs by artists.
    public static func artists(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(.music, .artist, library)
    }
    /// Songs by composers.
    public static func composers(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(.music, .composer, library)
    }
    /// Songs by genres.
    public static func genres(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(.music, .genre, library)
    }
    /// Albums with songs of several artists.
    public static func compilations(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(
            .music, .album, library,
            MPMediaPropertyPredicate(value: true, forProperty: MPMediaItemPropertyIsCompilation))
    }
    /// Audiobooks, by their titles.
    public static func audiobooks(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(.audioBook, .album, library)
    }
    /// Podcasts of sound and of film.
    public static func podcasts(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery([.podcast, .videoPodcast], .podcastTitle, library)
    }
    /// Playlists.
    public static func playlists(in library: MPMediaLibrary? = nil) -> MPMediaQuery {
        MPMediaQuery(nil, .playlist, library)
    }

    /// Adds a condition.
    public func addFilterPredicate(_ predicate: MPMediaPredicate) { filterPredicates.append(predicate) }

    /// Removes a condition that was added; nothing happens if it was not.
    public func removeFilterPredicate(_ predicate: MPMediaPredicate) {
        filterPredicates.removeAll { $0 === predicate }
    }

    private func fetch() throws -> MediaFetch {
        let (ofLists, ofItems) = (
            filterPredicates.filter(\.isOfPlaylists), filterPredicates.filter { !$0.isOfPlaylists }
        )
        let library = try chosen ?? MPMediaLibrary.default()
        return MediaFetch(
            library: library,
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: try ofItems.map { try $0.condition() }),
            playlistPredicate: NSCompoundPredicate(
                andPredicateWithSubpredicates: try ofLists.map { try $0.condition() }),
            grouping: groupingType)
    }

    /// The items, sorted by the title of their group.
    ///
    /// - Throws: ``MediaLibraryError`` for a property that queries cannot ask for, or without a library; errors of the store.
    public func items() throws -> [MPMediaItem] { try fetch().items().items }

    /// A collection for each value of the grouping, sorted by title.
    ///
    /// - Throws: As ``items()``.
    public func collections() throws -> [MPMediaItemCollection] { try fetch().collections() }

    /// The sections of ``items()``, by their first letters.
    public func itemSections() throws -> [MPMediaQuerySection] {
        MPMediaQuerySection.sections(try fetch().items().titles)
    }

    /// The sections of ``collections()``, by their first letters.
    public func collectionSections() throws -> [MPMediaQuerySection] {
        MPMediaQuerySection.sections(try collections().map(\.title))
    }

    /// As ``items()``, on a thread of its own, so that a page stays responsive while 100,000 items are found.
    ///
    /// - Parameter completion: Called on that thread.
    public func fetchItems(_ completion: @escaping @Sendable (Result<[MPMediaItem], any Error>) -> Void) {
        let fetch = Result { try self.fetch() }
        DispatchQueue.global().async { completion(Result { try fetch.get().items().items }) }
    }

    /// As ``collections()``, on a thread of its own.
    public func fetchCollections(_ completion: @escaping @Sendable (Result<[MPMediaItemCollection], any Error>) -> Void)
    {
        let fetch = Result { try self.fetch() }
        DispatchQueue.global().async { completion(Result { try fetch.get().collections() }) }
    }
}
