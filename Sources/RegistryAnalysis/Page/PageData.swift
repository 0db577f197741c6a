import Foundation

/// The data of the page: the snapshot with layouts of its graphs, and any launch and changes.
struct PageData<Change: Encodable>: Encodable {
  var title: String
  var snapshot: RegistrySnapshot
  /// The graphs of the snapshot's processes, in the same order.
  var graphs: [ProcessGraphs]
  var launch: LaunchChart?
  var changes: [Change]?
  /// The width and the height of a node.
  var node = [GraphLayout.nodeWidth, GraphLayout.nodeHeight]
}

/// The nodes and edges of a process, with layouts of all nodes, of images, and within images.
struct ProcessGraphs: Encodable {
  /// A module, or a Swift module that has registrations or needs but no module.
  struct Node: Encodable {
    var name: String
    var image: Int
    /// The index of the module in the process; nil for a Swift module.
    var module: Int?
  }

  struct Layout: Encodable {
    var nodes: [Int]
    var layout: GraphLayout
  }

  var nodes: [Node] = []
  /// The names of images that have a node. The name "" stands for registrations in code.
  var images: [String] = []
  /// Three numbers for each edge: the index of a node, the index of the node that depends on it,
  /// and 0 for `after` or 1 for a need.
  var edges: [Int] = []
  var all = GraphLayout(count: 0, edges: [])
  var byImage = GraphLayout(count: 0, edges: [])
  /// Three numbers for each edge between images: two indices, and the count of node edges.
  var imageEdges: [Int] = []
  /// The layout of each image's nodes; empty unless there are several images.
  var inImages: [Layout] = []

  init(_ process: RegistrySnapshot.Process) {
    var (imageIndices, byName, byFeature) = ([String: Int](), [String: Int](), [String: Int]())
    func add(_ name: String, _ image: String?, _ module: Int?) {
      let image = image ?? ""
      let index = imageIndices[image] ?? images.count
      if index == images.count {
        images.append(image)
        imageIndices[image] = index
      }
      nodes.append(Node(name: name, image: index, module: module))
    }
    for (index, module) in process.modules.enumerated() {
      byName[module.name] = byName[module.name] ?? nodes.count
      byFeature[module.feature] = byFeature[module.feature] ?? nodes.count
      add(module.name, module.image, index)
    }
    let others = process.entries.map { ($0.feature, $0.image) } + process.needs.map { ($0.feature, $0.image) }
    for (feature, image) in others where byFeature[feature] == nil {
      byFeature[feature] = nodes.count
      add(feature, image, nil)
    }

    var kinds: [GraphLayout.Edge: Int] = [:]
    func connect(_ from: Int?, _ to: Int?, _ kind: Int) {
      guard let from, let to, from != to else { return }
      let edge = GraphLayout.Edge(from, to)
      kinds[edge] = min(kinds[edge] ?? kind, kind)
    }
    for (index, module) in process.modules.enumerated() {
      for name in module.after { connect(byName[name], index, 0) }
      for name in module.afterNeeds { connect(byName[name], index, 1) }
    }
    for need in process.needs {
      let dependent = byName[need.dependent] ?? byFeature[need.feature]
      if need.kind == .module, let module = byName[need.key] {
        connect(module, dependent, 1)
      } else {
        for provider in need.providers { connect(byFeature[provider], dependent, 1) }
      }
    }
    let sorted = kinds.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    for edge in sorted { edges += [edge.from, edge.to, kinds[edge] ?? 0] }
    all = GraphLayout(count: nodes.count, edges: sorted)

    var counts: [GraphLayout.Edge: Int] = [:]
    for edge in sorted where nodes[edge.from].image != nodes[edge.to].image {
      counts[GraphLayout.Edge(nodes[edge.from].image, nodes[edge.to].image), default: 0] += 1
    }
    let outer = counts.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    for edge in outer { imageEdges += [edge.from, edge.to, counts[edge] ?? 0] }
    byImage = GraphLayout(count: images.count, edges: outer)

    guard images.count > 1 else { return }
    var members = Array(repeating: [Int](), count: images.count)
    var inner = Array(repeating: [GraphLayout.Edge](), count: images.count)
    var local = Array(repeating: 0, count: nodes.count)
    for (index, node) in nodes.enumerated() {
      local[index] = members[node.image].count
      members[node.image].append(index)
    }
    for edge in sorted where nodes[edge.from].image == nodes[edge.to].image {
      inner[nodes[edge.from].image].append(GraphLayout.Edge(local[edge.from], local[edge.to]))
    }
    inImages = zip(members, inner).map { members, edges in
      Layout(nodes: members, layout: GraphLayout(count: members.count, edges: edges))
    }
  }
}
