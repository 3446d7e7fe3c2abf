import CoreDataMedia
import CoreDataWorkbench
import Foundation

/// One change of a stored player by the words of a command.
struct PlayerChange {
    let arguments: Arguments
    let library: MPMediaLibrary
    let words: [String]
    private var generator = SystemRandomNumberGenerator()

    static let actions = [
        "show", "queue", "add", "insert", "move", "remove", "select", "play", "pause", "stop", "next", "previous",
        "repeat", "shuffle",
    ]
    private static let repeats: [String: MPMusicRepeatMode] = ["none": .none, "one": .one, "all": .all]
    private static let shuffles: [String: MPMusicShuffleMode] = ["off": .off, "songs": .songs, "albums": .albums]

    init(arguments: Arguments, library: MPMediaLibrary, words: [String]) {
        (self.arguments, self.library, self.words) = (arguments, library, words)
    }

    /// Applies an action.
    ///
    /// - Throws: `UsageError` for words that the action does not take; an error of the library.
    mutating func apply(_ action: String, to player: inout MusicPlayer, at now: Double) throws {
        switch action {
        case "queue": player.setQueue(try entries(), at: now, using: &generator)
        case "add": player.append(try entries(), using: &generator)
        case "insert": player.insertNext(try entries())
        case "move":
            let places = try places(2, of: player, action)
            player.move(places[0], to: places[1])
        case "remove": player.remove(try places(1, of: player, action)[0], at: now)
        case "select": player.select(try places(1, of: player, action)[0], at: now)
        case "repeat": player.repeatMode = try choice(Self.repeats, action)
        case "shuffle": player.setShuffle(try choice(Self.shuffles, action), using: &generator)
        default: try command(action, &player, now)
        }
    }

    private func command(_ action: String, _ player: inout MusicPlayer, _ now: Double) throws {
        guard Self.actions.contains(action) else {
            throw arguments.error(
                "there is no action '\(PlaceWord.shown(action))'",
                hint: NameSuggestion(for: action, in: Self.actions)?.question)
        }
        guard words.isEmpty else { throw arguments.error("\(action) takes no words") }
        switch action {
        case "play": player.play(at: now)
        case "pause": player.pause(at: now)
        case "stop": player.stop(at: now)
        case "next": player.skipToNextItem(at: now)
        default: player.skipToPreviousItem(at: now)
        }
    }

    private func entries() throws -> [MusicPlayerEntry] {
        guard words.count <= 1 else { throw arguments.error("one playlist is taken at a time") }
        let items =
            try words.first.map { try LibrarySelection.playlist($0, of: library).items }
            ?? LibrarySelection.items(arguments, of: library)
        return items.map { MusicPlayerEntry($0) }
    }

    private func places(_ count: Int, of player: MusicPlayer, _ action: String) throws -> [Int] {
        guard words.count == count else {
            throw arguments.error(count == 1 ? "\(action) takes one place" : "\(action) takes two places: FROM TO")
        }
        let places = try words.map { try LibrarySelection.place($0, arguments) }
        guard places.allSatisfy(player.order.indices.contains) else {
            throw arguments.error("the queue has \(player.order.count) items")
        }
        return places
    }

    private func choice<Mode>(_ modes: [String: Mode], _ action: String) throws -> Mode {
        guard words.count == 1, let mode = modes[words[0]] else {
            throw arguments.error("\(action) takes one of: \(modes.keys.sorted().joined(separator: ", "))")
        }
        return mode
    }
}
