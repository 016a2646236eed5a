// How far an HTML page can be relied on, once it has been read. A page that is no listing must never look like an empty
// folder: what is not there would be deleted.

import MirrorCore

/// What is known of a page at its end.
package struct PageVerdict: Sendable {
    package var server: IndexServer?
    /// Whether it arrived to its end.
    package var isWhole = true
    /// A limit that ended the reading. One sentence.
    package var limit: String?
    /// What hides the rest of the page, such as a script without an end. One sentence.
    package var hidden: String?
    /// Whether it ends as every whole page of its server does.
    package var hasEnding = true
    /// Files and folders that it names.
    package var named = 0
    /// Links to the folder above that say so.
    package var hasParentLink = false
    package var links = 0
    /// Links on the same origin, but in another folder.
    package var outside = 0
    package var withQuery = 0
    /// Links without scheme that are no URL.
    package var unreadable = 0
    /// Files of a package index on another origin.
    package var filesElsewhere = 0
    /// Whether a link came before the address that all links belong to.
    package var hasLateBase = false
    package var scripts = 0
    package var asksForPassword = false

    package init() {}

    package var state: Listing.State {
        if server == nil, let reason = noListing { return .failed(reason) }
        if let reason = missing { return .incomplete(reason) }
        return .complete
    }

    /// Why the page is no listing.
    private var noListing: String? {
        if asksForPassword { return "the page asks for a password; it is no listing" }
        guard named == 0, !hasParentLink else { return nil }
        if withQuery > 0 {
            return "the page is no listing: its links have a query, which only its own script understands"
        }
        // A page that a limit or a cut ended before its first link may be any page.
        if limit != nil || !isWhole { return "the page could not be read to its first file" }
        if links > 0 { return "the page is no listing: none of its \(links) links leads below its folder" }
        if scripts > 0 {
            return "the page is no listing: it has no links, a script would have to make them in a browser"
        }
        return "the page is no listing: it has no links"
    }

    /// Why there may be more than is named.
    private var missing: String? {
        if let limit { return limit }
        if !isWhole { return "the page was cut short" }
        if let hidden { return hidden }
        if !hasEnding { return "the page has no end: the server broke off" }
        if hasLateBase { return "the page says only after its first links where they lead" }
        if unreadable > 0 { return "\(unreadable) of its links are no addresses" }
        if filesElsewhere > 0 { return "\(filesElsewhere) of its files lie on another server" }
        if named == 0, !hasParentLink, outside > 0 {
            return "none of its \(links) links leads below its folder"
        }
        return nil
    }
}
